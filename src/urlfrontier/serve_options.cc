#include "urlfrontier/serve_options.h"

#include <nlohmann/json.hpp>

#include "policy/registry.h"
#include "sys/listen_address.h"
#include "urlfrontier/url_frontier.h"

namespace bowerbird {

namespace {

// Lists each field once, for reading and writing.
template <typename Options, typename Visit>
void each_field(Options& options, Visit visit) {
  visit("listen", options.listen);
  visit("data", options.data);
  visit("policy", options.policy);
  visit("memory", options.memory);
  visit("max_crawls", options.max_crawls);
  visit("durable", options.durable);
  visit("parent_key", options.parent_key);
  visit("insecure", options.insecure);
  visit("certificate", options.certificate);
  visit("key", options.key);
  visit("client_ca", options.client_ca);
}

}  // namespace

Status check_serve_options(const ServeOptions& options) {
  const auto address = parse_listen(options.listen);
  if (!address.ok()) return error("--listen: {}", address.error().text);
  if (options.data.empty()) return error("--data: give the folder of the service");
  if (options.certificate.empty() != options.key.empty())
    return error("--tls-cert and --tls-key belong together: give both");
  if (!options.client_ca.empty() && options.certificate.empty())
    return error("--tls-client-ca: give --tls-cert and --tls-key too");
  if (!address->is_loopback && options.certificate.empty() && !options.insecure) {
    return error(
        "--listen {}: anyone who can reach this address could change the frontier: give --tls-cert and "
        "--tls-key, or "
        "--insecure",
        options.listen);
  }
  if (options.memory > 0 && options.memory < UrlFrontierOptions::kLeastMemory)
    return error("--memory: at least {} MiB", UrlFrontierOptions::kLeastMemory >> 20);
  if (options.max_crawls == 0) return error("--max-crawls: at least 1");
  if (!options.policy.empty()) BB_TRY_VOID(needs_of(options.policy));
  return {};
}

std::string serve_options_json(const ServeOptions& options) {
  nlohmann::json json = nlohmann::json::object();
  each_field(options, [&](const char* name, const auto& value) { json[name] = value; });
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

Result<ServeOptions> parse_serve_options(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object()) return error("the options are not a JSON object");
  ServeOptions options;
  std::string wrong;
  each_field(options, [&](const char* name, auto& value) {
    const auto found = json.find(name);
    if (found == json.end()) return;
    using Value = std::remove_reference_t<decltype(value)>;
    const bool fits = std::is_same_v<Value, bool>          ? found->is_boolean()
                      : std::is_same_v<Value, std::string> ? found->is_string()
                                                           : found->is_number_unsigned();
    if (fits) {
      found->get_to(value);
    } else {
      wrong = name;
    }
  });
  if (!wrong.empty()) return error("the option '{}' has a wrong type", wrong);
  BB_TRY_VOID(check_serve_options(options));
  return options;
}

}  // namespace bowerbird
