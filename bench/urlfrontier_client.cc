// The client of bench/urlfrontier.py.
//   urlfrontier_client ADDRESS put FIRST COUNT STREAMS    discovered URLs FIRST ... FIRST+COUNT-1, by PutURLs
//   urlfrontier_client ADDRESS get COUNT STREAMS          until COUNT URLs were handed out, by GetURLs
//   urlfrontier_client ADDRESS count
// Prints seconds, and how many URLs were acknowledged as new, handed out (each once), or are known.
#include <grpcpp/grpcpp.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <unordered_set>
#include <vector>

#include "urlfrontier.grpc.pb.h"

namespace {

using namespace urlfrontier;
using Stub = URLFrontier::Stub;

constexpr std::uint64_t kHosts = 10'000;
constexpr std::uint64_t kPrime = 1'000'003;  // spreads neighbours over the hosts

std::unique_ptr<Stub> connect(const std::string& address) {
  grpc::ChannelArguments own;  // a connection for each stream
  own.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return URLFrontier::NewStub(grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), own));
}

std::uint64_t put(Stub& stub, std::uint64_t first, std::uint64_t count) {
  grpc::ClientContext context;
  const auto stream = stub.PutURLs(&context);
  std::thread writer([&] {
    URLItem item;
    for (std::uint64_t i = first; i < first + count; ++i) {
      item.mutable_discovered()->mutable_info()->set_url("http://host" + std::to_string(i * kPrime % kHosts) +
                                                         ".example/folder/page-" + std::to_string(i) +
                                                         ".html");
      if (!stream->Write(item, grpc::WriteOptions().set_buffer_hint())) break;
    }
    stream->WritesDone();
  });
  std::uint64_t made = 0;
  for (AckMessage ack; stream->Read(&ack);) made += ack.status() == AckMessage::OK ? 1 : 0;
  writer.join();
  if (!stream->Finish().ok()) std::exit(1);
  return made;
}

void get(Stub& stub, std::atomic<std::int64_t>& left, std::vector<std::string>& urls) {
  GetParams asked;
  asked.set_max_queues(100);
  asked.set_max_urls_per_queue(10);
  asked.set_delay_requestable(24 * 60 * 60);
  while (left > 0) {
    grpc::ClientContext context;
    const auto stream = stub.GetURLs(&context, asked);
    const std::size_t before = urls.size();
    for (URLInfo info; stream->Read(&info);) urls.push_back(info.url());
    if (!stream->Finish().ok()) std::exit(1);
    const std::size_t found = urls.size() - before;
    if (found == 0) return;
    left -= static_cast<std::int64_t>(found);
    // They are fetched, so that their queues are not full.
    grpc::ClientContext done;
    const auto puts = stub.PutURLs(&done);
    for (std::size_t i = before; i < urls.size(); ++i) {
      URLItem item;
      item.mutable_known()->mutable_info()->set_url(urls[i]);
      puts->Write(item, grpc::WriteOptions().set_buffer_hint());
    }
    puts->WritesDone();
    for (AckMessage ack; puts->Read(&ack);) {
    }
    if (!puts->Finish().ok()) std::exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string address = argv[1], what = argv[2];
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  const auto start = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> done = 0;
  if (what == "put" && argc == 6) {
    const std::uint64_t streams = number(5), share = number(4) / streams;
    std::vector<std::thread> threads;
    for (std::uint64_t i = 0; i < streams; ++i)
      threads.emplace_back([&, i] { done += put(*connect(address), number(3) + i * share, share); });
    for (std::thread& thread : threads) thread.join();
  } else if (what == "get" && argc == 5) {
    std::atomic<std::int64_t> left = static_cast<std::int64_t>(number(3));
    std::vector<std::vector<std::string>> urls(number(4));
    std::vector<std::thread> threads;
    for (auto& mine : urls) threads.emplace_back([&] { get(*connect(address), left, mine); });
    for (std::thread& thread : threads) thread.join();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::unordered_set<std::string> distinct;
    std::size_t all = 0;
    for (const auto& mine : urls) {
      distinct.insert(mine.begin(), mine.end());
      all += mine.size();
    }
    std::printf("%.6f %zu\n", seconds.count(), distinct.size() == all ? all : 0);
    return 0;
  } else if (what == "count") {
    grpc::ClientContext context, quick;
    Long answer;
    urlfrontier::Empty nothing;
    QueueDelayParams delay;
    const auto stub = connect(address);
    if (!stub->SetDelay(&quick, delay, &nothing).ok()) return 1;
    if (!stub->CountURLs(&context, {}, &answer).ok()) return 1;
    done = answer.value();
  } else {
    return 2;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%.6f %llu\n", seconds.count(), static_cast<unsigned long long>(done.load()));
}
