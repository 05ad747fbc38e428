#include "crawl/loop/request_cookies.h"

#include "base/ascii.h"
#include "sys/disk.h"
#include "sys/file.h"
#include "sys/write_file.h"

namespace bowerbird {

namespace {

// Appends to the Cookie line if there is one, otherwise adds it.
void append_cookies(std::string& fields, const std::string& cookies) {
  constexpr std::string_view kName = "cookie:";
  for (std::size_t at = 0; at < fields.size();) {
    const std::size_t end = std::min(fields.find("\r\n", at), fields.size());
    if (starts_ignoring_case(std::string_view(fields).substr(at, end - at), kName)) {
      fields.insert(end, "; " + cookies);
      return;
    }
    at = end + 2;
  }
  fields.append("Cookie: ").append(cookies).append("\r\n");
}

}  // namespace

Status RequestCookies::open(const std::string& given, UnixTime now) {
  if (Disk::real().exists(options_.file)) {
    BB_TRY(const auto file, MappedFile::open(options_.file));
    if (const Status read = jar_.read(file->text(), options_.file, now); !read.ok())
      return error("{}\nFix or delete the file", read.error().text);
  }
  if (given.empty()) return {};
  BB_TRY(const auto file, MappedFile::open(given));
  BB_TRY_VOID(jar_.read(file->text(), given, now));
  changed_ = true;
  return save();
}

bool RequestCookies::keeps(const Url& url) {
  if (options_.sites == nullptr) return options_.by_default;
  return options_.sites->value(options_.sites->tables_of(url, cache_), &SiteSettings::cookies)
      .value_or(options_.by_default);
}

void RequestCookies::add_field(std::uint64_t request, const std::string& url, UnixTime now,
                               std::string& fields) {
  if (!options_.by_default && options_.sites == nullptr) return;
  Request made;
  if (parse_url(url, nullptr, made.url) != UrlFault::kNone || !keeps(made.url)) return;
  if (const std::string cookies = jar_.field_for(made.url, now); !cookies.empty()) {
    append_cookies(fields, cookies);
    made.sent = true;
  }
  requests_[request] = std::move(made);
}

bool RequestCookies::take(std::uint64_t request, const FetchOutcome& outcome, UnixTime now) {
  const auto found = requests_.find(request);
  if (found == requests_.end()) return false;
  const Request done = std::move(found->second);
  requests_.erase(found);
  // A host without a valid certificate gets no cookies, and sets none.
  if (!outcome.certificate_error.empty()) return false;
  if (jar_.take(done.url, outcome.head, now)) changed_ = true;
  return done.sent;
}

Status RequestCookies::save() {
  if (!changed_) return {};
  BB_TRY_VOID(write_file(options_.file, jar_.text(), 0600));
  changed_ = false;
  return {};
}

}  // namespace bowerbird
