#include "dash/figure_files.h"

#include "dash/pgf_plot.h"
#include "sys/write_file.h"

namespace bowerbird {

Status write_figures(const std::string& folder, std::span<const PlotFigure> figures) {
  BB_TRY_VOID(make_folder(folder));
  for (const PlotFigure& figure : figures) {
    BB_TRY_VOID(write_file(folder + "/" + figure.name + ".svg", svg_figure(figure)));
    BB_TRY_VOID(write_file(folder + "/" + figure.name + ".pgf", pgf_figure(figure)));
  }
  return {};
}

}  // namespace bowerbird
