// Reads a crawl folder up to its last commit, whether or not the crawl is running. Changes nothing.
//
// Threads: one at a time. Functions throw Error if a file is damaged.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bowerbird/error.h"

BOWERBIRD_BEGIN

// A fetch of a page: the first or a later one.
struct CrawlVisit {
  std::uint32_t page = 0;
  std::string url;
  std::int64_t time_us = 0;  // since 1970
  unsigned status = 0;       // HTTP status
  std::string mime, title;
  bool revisit = false;      // the body is that of an earlier response
  std::string digest;        // SHA-1 of the body, hexadecimal
  std::uint64_t number = 0;  // for body() and text()
};

struct CrawlLinks {
  std::uint32_t page = 0;
  std::vector<std::uint32_t> targets;  // in the order of the page
  std::vector<bool> followed;
};

class BOWERBIRD_API Crawl {
 public:
  explicit Crawl(const std::string& folder);
  ~Crawl();
  Crawl(Crawl&&) noexcept;
  Crawl& operator=(Crawl&&) noexcept;

  std::uint32_t pages() const;    // known URLs
  std::uint64_t crawled() const;  // pages with links
  std::string url(std::uint32_t page) const;
  // The number of fetches, including other files such as robots.txt; visit() returns the n-th one if it
  // is of a page.
  std::uint64_t captures() const;
  std::optional<CrawlVisit> visit(std::uint64_t number) const;
  // Until visit returns false.
  void for_each_visit(const std::function<bool(const CrawlVisit&)>& visit) const;
  void for_each_links(const std::function<bool(const CrawlLinks&)>& visit) const;
  // The decoded body of a response; for a revisit, the body of the response it refers to in this crawl.
  std::string body(const CrawlVisit& visit) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

BOWERBIRD_END
