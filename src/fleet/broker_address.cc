#include "fleet/broker_address.h"

#include <algorithm>
#include <string_view>

namespace bowerbird {

Result<BrokerAddress> BrokerAddress::parse(const std::string& text) {
  BrokerAddress address;
  const std::size_t mark = text.find('?');
  address.url = text.substr(0, mark);
  std::string_view files = mark == text.npos ? std::string_view() : std::string_view(text).substr(mark + 1);
  while (!files.empty()) {
    const std::string_view one = files.substr(0, files.find('&'));
    files.remove_prefix(std::min(files.size(), one.size() + 1));
    const std::string_view name = one.substr(0, one.find('='));
    std::string* const file = name == "ca"            ? &address.ca
                              : name == "credentials" ? &address.credentials
                                                      : nullptr;
    if (file == nullptr || name.size() + 1 >= one.size()) {
      return error(
          ErrorKind::kNeedsUser,
          "unknown parameter '{}' in the address of the NATS server: use ca=FILE or credentials=FILE", name);
    }
    *file = one.substr(name.size() + 1);
  }
  return address;
}

}  // namespace bowerbird
