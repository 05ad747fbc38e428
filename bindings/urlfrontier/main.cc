// bowerbird-frontier OPTIONS: the program behind `bowerbird frontier serve`, which passes the options as
// JSON.
#include <fmt/format.h>
#include <signal.h>

#include <cstdio>

#include "messages.h"
#include "service.h"
#include "sys/file.h"
#include "sys/listen_address.h"

// After ours: see service.h.
#include <grpcpp/resource_quota.h>
#include <grpcpp/server_builder.h>

namespace bowerbird {

namespace {

constexpr int kMostMessage = 16 << 20;        // bytes
constexpr std::size_t kBuffers = 256u << 20;  // of gRPC, bytes
constexpr int kMostThreads = 1000;

Result<std::shared_ptr<grpc::ServerCredentials>> credentials(const ServeOptions& options) {
  if (options.certificate.empty()) return grpc::InsecureServerCredentials();
  BB_TRY(const auto certificate, MappedFile::open(options.certificate));
  BB_TRY(const auto key, MappedFile::open(options.key));
  grpc::SslServerCredentialsOptions tls(options.client_ca.empty()
                                            ? GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE
                                            : GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY);
  tls.pem_key_cert_pairs.push_back({std::string(key->text()), std::string(certificate->text())});
  if (!options.client_ca.empty()) {
    BB_TRY(const auto authority, MappedFile::open(options.client_ca));
    tls.pem_root_certs = std::string(authority->text());
  }
  return grpc::SslServerCredentials(tls);
}

Status serve(const std::string& json) {
  // Before any thread starts, so that signals are only delivered to sigwait().
  sigset_t ends;
  ::sigemptyset(&ends);
  ::sigaddset(&ends, SIGINT);
  ::sigaddset(&ends, SIGTERM);
  ::sigaddset(&ends, SIGHUP);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);

  BB_TRY(const ServeOptions options, parse_serve_options(json));
  BB_TRY(const ListenAddress address, parse_listen(options.listen));
  BB_TRY(const auto secrets, credentials(options));
  CrawlFoldersOptions folders;
  folders.folder = options.data;
  folders.policy = options.policy;
  folders.memory = options.memory;
  folders.durable = options.durable;
  folders.most_crawls = options.max_crawls;
  BB_TRY(const auto crawls, CrawlFolders::open(folders, wall_time()));

  FrontierService service(*crawls, options);
  const std::string host =
      address.host.find(':') == std::string::npos ? address.host : "[" + address.host + "]";
  int port = 0;
  grpc::ServerBuilder builder;
  grpc::ResourceQuota quota("frontier");
  quota.Resize(kBuffers).SetMaxThreads(kMostThreads);
  builder.SetResourceQuota(quota);
  builder.SetMaxReceiveMessageSize(kMostMessage);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  // A connection whose client has vanished ends within two minutes.
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIME_MS, 60'000);
  builder.AddChannelArgument(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, 20'000);
  builder.AddListeningPort(fmt::format("{}:{}", host, address.port), secrets, &port);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (server == nullptr || port == 0)
    return error("{}: cannot listen there: is the port in use, or the certificate wrong?", options.listen);
  service.set_address(fmt::format("{}:{}", host, port));
  fmt::print("ready listen={}:{} data={} crawls={}\n", host, port, options.data, crawls->all().size());
  std::fflush(stdout);

  int signal = 0;
  ::sigwait(&ends, &signal);
  server->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(2));
  server->Wait();
  return crawls->close();
}

}  // namespace

}  // namespace bowerbird

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "bowerbird-frontier is started by `bowerbird frontier serve`; see its --help\n");
    return 2;
  }
  const bowerbird::Status done = bowerbird::serve(argv[1]);
  if (done.ok()) return 0;
  std::fprintf(stderr, "bowerbird: %s\n", done.error().text.c_str());
  return 1;
}
