#include "fleet/server_users.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "fleet/admin.h"
#include "fleet/local_server.h"
#include "fleet/stores.h"
#include "sys/temporary_folder_testing.h"

namespace bowerbird {
namespace {

TEST(ServerUsers, ArePutIntoTheFolderOnceAndReadableByItsOwnerOnly) {
  TemporaryFolder folder;
  const ServerUsers users = ServerUsers::of(folder.path()).value();
  EXPECT_NE(users.member_password, users.watcher_password);
  EXPECT_EQ(ServerUsers::of(folder.path()).value().member_password, users.member_password);
  struct stat found {};
  ASSERT_EQ(::stat((folder / "users.json").c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  folder.write("users.json", "{}");
  EXPECT_FALSE(ServerUsers::of(folder.path()).ok());
}

TEST(ServerUsers, AWatcherSeesAndStopsTheFleetAndNothingElse) {
  if (!LocalServer::available()) GTEST_SKIP() << "nats-server is not installed (tools/packages.txt)";
  TemporaryFolder folder;
  const auto server = std::move(LocalServer::start(folder / "nats")).value();
  const std::string address = "nats://127.0.0.1:" + std::to_string(server->port());
  EXPECT_FALSE(Bus::connect(address).ok()) << "without a password";
  EXPECT_EQ(Bus::connect("nats://member:guess@127.0.0.1:" + std::to_string(server->port())).error().kind,
            ErrorKind::kNeedsUser);

  const FleetNames names{"crawl"};
  const auto member = std::move(Bus::connect(server->url())).value();
  const FleetStoresMade stores = std::move(make_stores(*member, names, 10)).value();
  ASSERT_TRUE(stores.records->put(kPlanKey, first_plan(2, {"a"}).to_json()).ok());

  const auto watcher = std::move(FleetAdmin::open(server->watcher_url(), names.fleet)).value();
  const auto view = watcher->look();
  ASSERT_TRUE(view.ok()) << view.error().text;
  EXPECT_EQ(view->plan->owners.size(), 2u);
  ASSERT_TRUE(watcher->set_stop(true).ok());
  EXPECT_TRUE(watcher->look()->control.stop);

  const auto bus = std::move(Bus::connect(server->watcher_url())).value();
  const auto records = std::move(bus->existing_store(names.records())).value();
  EXPECT_FALSE(records->put(kPlanKey, "garbage").ok());
  EXPECT_TRUE(FleetPlan::from_json(stores.records->get(kPlanKey).value()->value).ok());
  EXPECT_EQ(bus->publish_kept({{names.partition(0), "stray"}}), std::vector<bool>{false});
}

}  // namespace
}  // namespace bowerbird
