#include "cmd/plugin_option.h"

#include "plugin/plugin.h"

namespace bowerbird {

void add_plugin_option(CLI::App& app) {
  app.add_option_function<std::vector<std::string>>(
         "--plugin",
         [](const std::vector<std::string>& files) {
           for (const std::string& file : files) {
             const auto names = load_plugin(file);
             if (!names.ok()) throw CLI::ValidationError("--plugin", names.error().text);
           }
         },
         "Load orderings from this shared library (docs/library.md)")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false)
      ->trigger_on_parse();
}

}  // namespace bowerbird
