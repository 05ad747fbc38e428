#include "graph/synthetic.h"

#include "graph/synthetic_model.h"
#include "graph/synthetic_names.h"

namespace bowerbird {

namespace {

class SyntheticHosts final : public PageHosts {
 public:
  explicit SyntheticHosts(const std::shared_ptr<const SyntheticModel>& model)
      : model_(model), names_(model) {}

  HostId hosts() const override { return model_->layout().hosts(); }
  HostId host(PageId page) const override { return model_->layout().of_page(page).host; }
  std::pair<PageId, PageId> run(PageId page) const override {
    const HostRange range = model_->layout().of_page(page);
    return {range.first, range.first + range.size};
  }
  bool contiguous() const override { return true; }
  std::string host_name(HostId host) const override { return names_.host_name(host); }

 private:
  std::shared_ptr<const SyntheticModel> model_;
  SyntheticNames names_;
};

}  // namespace

SyntheticGraph::SyntheticGraph(const SyntheticOptions& options)
    : model_(std::make_shared<const SyntheticModel>(options)) {}

PageId SyntheticGraph::pages() const {
  return model_->layout().pages();
}

std::span<const PageId> SyntheticGraph::out(PageId page, LinkBuffer& buffer) const {
  if (buffer.links.size() < SyntheticModel::kMaxRow) buffer.links.resize(SyntheticModel::kMaxRow);
  return {buffer.links.data(), model_->links(page, buffer.links.data())};
}

void SyntheticGraph::scan(PageId first, PageId last, const Visitor& visit) const {
  auto common = std::make_unique<SyntheticModel::Common>();
  std::vector<PageId> row(SyntheticModel::kMaxRow);
  for (PageId page = first; page < last;) {
    model_->prepare(page, *common);
    for (; page < last && page <= common->last; ++page) {
      const std::uint32_t n = model_->links(page, *common, row.data());
      if (!visit(page, {row.data(), n})) return;
    }
  }
}

Web make_synthetic(const SyntheticOptions& options) {
  auto model = std::make_shared<const SyntheticModel>(options);
  return {std::make_unique<SyntheticGraph>(model), std::make_unique<SyntheticHosts>(model),
          std::make_unique<SyntheticNames>(model), nullptr};
}

}  // namespace bowerbird
