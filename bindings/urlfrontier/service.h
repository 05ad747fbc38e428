// The gRPC service URLFrontier (urlfrontier.proto) for crawls in a folder (urlfrontier/crawl_folders.h).
//
// Each call is translated into calls of the frontiers; the only state here is the log level. Changes are
// committed before the response is sent. Input from clients is untrusted: an invalid request gets a
// status with the reason and changes nothing. Threads: gRPC's.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "urlfrontier/crawl_folders.h"
#include "urlfrontier/serve_options.h"

// After our headers: a library of gRPC defines GUARDED_BY too, with the same meaning.
#include "urlfrontier.grpc.pb.h"

namespace bowerbird {

class FrontierService final : public urlfrontier::URLFrontier::Service {
 public:
  using Context = grpc::ServerContext;
  using Done = grpc::Status;

  // crawls: outlives the service.
  FrontierService(CrawlFolders& crawls, const ServeOptions& options) : crawls_(crawls), options_(options) {}
  // The address that ListNodes returns.
  void set_address(std::string address) {
    const MutexLock lock(mutex_);
    address_ = std::move(address);
  }
  void log(urlfrontier::LogLevelParams::Level level, std::string_view text) const;

  Done ListNodes(Context*, const urlfrontier::Empty*, urlfrontier::StringList* answer) override;
  Done ListCrawls(Context*, const urlfrontier::Local*, urlfrontier::StringList* answer) override;
  Done DeleteCrawl(Context*, const urlfrontier::DeleteCrawlMessage* asked,
                   urlfrontier::Long* answer) override;
  Done ListQueues(Context*, const urlfrontier::Pagination* asked, urlfrontier::QueueList* answer) override;
  Done GetURLs(Context* context, const urlfrontier::GetParams* asked,
               grpc::ServerWriter<urlfrontier::URLInfo>* writer) override;
  Done PutURLs(Context* context,
               grpc::ServerReaderWriter<urlfrontier::AckMessage, urlfrontier::URLItem>* stream) override;
  Done PutDiscovered(
      Context* context,
      grpc::ServerReaderWriter<urlfrontier::BatchAck, urlfrontier::DiscoveredBatch>* stream) override;
  Done GetStats(Context*, const urlfrontier::QueueWithinCrawlParams* asked,
                urlfrontier::Stats* answer) override;
  Done DeleteQueue(Context*, const urlfrontier::QueueWithinCrawlParams* asked,
                   urlfrontier::Long* answer) override;
  Done BlockQueueUntil(Context*, const urlfrontier::BlockQueueParams* asked, urlfrontier::Empty*) override;
  Done SetActive(Context*, const urlfrontier::Active* asked, urlfrontier::Empty*) override;
  Done GetActive(Context*, const urlfrontier::Local*, urlfrontier::Boolean* answer) override;
  Done SetDelay(Context*, const urlfrontier::QueueDelayParams* asked, urlfrontier::Empty*) override;
  Done SetLogLevel(Context*, const urlfrontier::LogLevelParams* asked, urlfrontier::Empty*) override;
  Done SetCrawlLimit(Context*, const urlfrontier::CrawlLimitParams* asked, urlfrontier::Empty*) override;
  Done GetURLStatus(Context*, const urlfrontier::URLStatusRequest* asked,
                    urlfrontier::URLItem* answer) override;
  Done ListURLs(Context* context, const urlfrontier::ListUrlParams* asked,
                grpc::ServerWriter<urlfrontier::URLItem>* writer) override;
  Done CountURLs(Context* context, const urlfrontier::CountUrlParams* asked,
                 urlfrontier::Long* answer) override;
  Done PurgeURLs(Context* context, const urlfrontier::PurgeUrlParams* asked,
                 urlfrontier::Long* answer) override;

 private:
  using Change = std::function<Status(UrlFrontier&, Time)>;
  // Changes a crawl (created if it does not exist), and commits.
  Done change(const std::string& crawl, const Change& change);
  // The status for an internal error, which is logged too.
  Done failed(const Error& error) const;
  // Visits the URLs of a crawl in pieces, so that other calls can run in between, until visit returns
  // false.
  Done each_url(Context& context, ServedCrawl& crawl, const std::string& queue,
                const std::function<bool(const UrlStatus&)>& visit);
  std::vector<TakenUrl> take(ServedCrawl& crawl, const TakeOptions& options, Time now, Done& done);

  CrawlFolders& crawls_;
  const ServeOptions& options_;
  Mutex mutex_;
  std::string address_ GUARDED_BY(mutex_);
  std::atomic<int> level_ = urlfrontier::LogLevelParams::INFO;
  std::atomic<std::size_t> turn_ = 0;  // next crawl for GetURLs without a crawl ID
};

}  // namespace bowerbird
