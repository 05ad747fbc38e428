#include "web/site/addresses.h"

#include "web/site/numbered_addresses.h"
#include "web/site/procedural_addresses.h"
#include "web/site/stored_addresses.h"

namespace bowerbird {

void PageUrl::split() {
  authority_begin = text.starts_with("https://") ? 8 : 7;
  target_begin = text.find('/', authority_begin);
}

bool is_this_machine(std::string_view authority) {
  if (authority.starts_with("[::1]")) return true;
  authority = authority.substr(0, authority.find(':'));
  if (authority == "localhost") return true;
  return authority.starts_with("127.") && authority.find_first_not_of("0123456789.") == authority.npos;
}

Result<std::unique_ptr<Addresses>> make_addresses(const Web& web, const AddressOptions& options,
                                                  const Progress& progress) {
  // A web whose names can be computed backwards needs no table.
  if (const auto* names = dynamic_cast<const SyntheticNames*>(web.names.get())) {
    return ProceduralAddresses::make(web, *names, options, progress);
  }
  if (web.names != nullptr) return StoredAddresses::make(web, options, progress);
  return NumberedAddresses::make(web, options, progress);
}

}  // namespace bowerbird
