#include "plugin/plugin.h"

#include <dlfcn.h>

#include "plugin/ordering_policy.h"

namespace bowerbird {

namespace {

using PluginFunction = const v1::Plugin* (*)();

Status check_plugin(const std::string& path, const v1::Plugin* plugin) {
  if (plugin == nullptr) return error("{}: bowerbird_plugin() returned nothing", path);
  if (plugin->interface != BOWERBIRD_INTERFACE) {
    return error(
        "{} was built for interface {} of Bowerbird; this program has interface {}: build it again with the "
        "headers of this version",
        path, plugin->interface, BOWERBIRD_INTERFACE);
  }
  if (plugin->context_bytes != sizeof(v1::OrderingContext) || plugin->link_bytes != sizeof(v1::Link) ||
      plugin->visit_bytes != sizeof(v1::Visit)) {
    return error("{} was built with another compiler or standard library: build it again", path);
  }
  if (plugin->count == 0 || plugin->orderings == nullptr) return error("{} has no orderings", path);
  return {};
}

}  // namespace

Result<std::vector<std::string>> load_plugin(const std::string& path) {
  // Without a slash dlopen() would search the system's folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return error("cannot load the plug-in {}", ::dlerror());
  const auto function = reinterpret_cast<PluginFunction>(::dlsym(library, "bowerbird_plugin"));
  if (function == nullptr) {
    ::dlclose(library);
    return error("{} is not a Bowerbird plug-in: it has no function bowerbird_plugin()", path);
  }
  const v1::Plugin* const plugin = function();
  if (const Status good = check_plugin(path, plugin); !good.ok()) {
    ::dlclose(library);
    return good.error();
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < plugin->count; ++i) {
    const v1::OrderingEntry& entry = plugin->orderings[i];
    if (entry.name == nullptr || entry.make == nullptr)
      return error("{}: ordering {} has no name", path, i + 1);
    BB_TRY_VOID(add_ordering(entry.name, entry.summary == nullptr ? "" : entry.summary, entry.make));
    names.emplace_back(entry.name);
  }
  return names;
}

}  // namespace bowerbird
