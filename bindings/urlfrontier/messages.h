// Converts between gRPC messages and the frontier's types. Pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "urlfrontier/put_urls.h"

// After our headers: a library included here defines GUARDED_BY too, with the same meaning.
#include "urlfrontier.pb.h"

namespace bowerbird {

// An empty ID means DEFAULT.
const std::string& crawl_name(const std::string& id);
Time wall_time();
// Seconds since 1970 from a client; kForever if out of range.
Time time_of_seconds(std::uint64_t seconds);

// The stored payload: the metadata and the date of creation.
std::string make_payload(const urlfrontier::URLInfo& info, std::uint64_t created);
std::uint64_t created_of(std::string_view payload);
void fill_info(const std::string& url, const std::string& queue, const std::string& payload,
               const std::string& crawl, urlfrontier::URLInfo& info);
// A URL for GetURLStatus and ListURLs. refetchable_from_date 0 means that it is not fetched again.
void fill_item(const UrlStatus& status, const std::string& crawl, urlfrontier::URLItem& item);

// The parent of a discovered URL: the last value of the metadata key; empty: none.
std::string_view parent_of(const urlfrontier::URLInfo& info, const std::string& key);
urlfrontier::AckMessage::Status ack_status(PutAnswer answer);

}  // namespace bowerbird
