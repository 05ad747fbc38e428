#include "web/site/truth.h"

#include <fmt/format.h>

#include "base/json_text.h"
#include "sys/file.h"

namespace bowerbird {
namespace {

constexpr double kTruthDayUs = 86'400e6;

}  // namespace

Status write_truth(const Site& site, double days, const TruthClock& clock, const std::string& path) {
  const std::int64_t start = site.options().start_us;
  const std::int64_t end = start + static_cast<std::int64_t>(days * kTruthDayUs);
  const auto day = [&](std::int64_t us) { return static_cast<double>(us - start) / kTruthDayUs; };
  BB_TRY(const auto file, OutputFile::create(path));
  BB_TRY_VOID(file->write(fmt::format("{{\"web\":true,\"scale\":{:.9g},\"monotonic_us\":{}}}\n", clock.scale,
                                      clock.monotonic_us)));
  PageUrl url;
  std::string line;
  for (PageId page = 0; page < site.pages(); ++page) {
    site.addresses().url_of(page, url);
    const std::int64_t born = std::max(start, site.born_us(page));
    line = fmt::format("{{\"page\":{},\"url\":", page);
    append_json_string(line, url.text);
    line += fmt::format(",\"rate\":{:.9g},\"born\":{:.9g},\"changes\":[", site.changes().rate_per_day(page),
                        day(born));
    bool first = true;
    for (const std::int64_t time : site.changes().times(page, born, end)) {
      line += fmt::format("{}{:.9g}", first ? "" : ",", day(time));
      first = false;
    }
    line += "]}\n";
    BB_TRY_VOID(file->write(line));
  }
  return file->finish();
}

}  // namespace bowerbird
