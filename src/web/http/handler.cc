#include "web/http/handler.h"

namespace bowerbird {

std::string_view HttpRequest::field(std::string_view lower) const {
  for (const HttpField& field : fields) {
    if (field_is(field.name, lower)) return field.value;
  }
  return {};
}

void HttpResponse::clear() {
  status = 200;
  body.clear();
  delivery = {};
  stream.reset();
  stream_size.reset();
  pending.reset();
  page = kNoPage;
  fault_name = "-";
  used_ = 0;
}

std::string& HttpResponse::add_field(std::string_view name) {
  if (used_ == fields_.size()) fields_.emplace_back();
  Field& field = fields_[used_++];
  field.name = name;
  field.value.clear();
  return field.value;
}

const std::string* HttpResponse::field(std::string_view name) const {
  for (const Field& field : fields()) {
    if (field.name == name) return &field.value;
  }
  return nullptr;
}

}  // namespace bowerbird
