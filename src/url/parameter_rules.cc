#include "url/parameter_rules.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"

namespace bowerbird {

namespace {

constexpr auto kTracking = ParameterKind::kTracking;
constexpr auto kSession = ParameterKind::kSession;

// Sorted by first letter: the index below relies on it.
constexpr std::array kRules = {
    ParameterRule{"__hsfp", kTracking},                         // HubSpot
    ParameterRule{"__hssc", kTracking},                         //
    ParameterRule{"__hstc", kTracking},                         //
    ParameterRule{"_ga", kTracking},                            // Google Analytics, across domains
    ParameterRule{"_gl", kTracking},                            //
    ParameterRule{"_hsenc", kTracking},                         // HubSpot
    ParameterRule{"_hsmi", kTracking},                          //
    ParameterRule{"_ke", kTracking},                            // Klaviyo
    ParameterRule{"_openstat", kTracking},                      // Openstat
    ParameterRule{"aspsessionid*", kSession},                   // ASP
    ParameterRule{"bv_sessionid", kSession},                    // BroadVision
    ParameterRule{"cfid", kSession},                            // ColdFusion
    ParameterRule{"cftoken", kSession},                         //
    ParameterRule{"dclid", kTracking},                          // Google display advertisements
    ParameterRule{"epik", kTracking},                           // Pinterest
    ParameterRule{"fb_action_ids", kTracking},                  // Facebook
    ParameterRule{"fb_action_types", kTracking},                //
    ParameterRule{"fb_ref", kTracking},                         //
    ParameterRule{"fb_source", kTracking},                      //
    ParameterRule{"fbclid", kTracking},                         //
    ParameterRule{"gad_campaignid", kTracking},                 // Google advertisements
    ParameterRule{"gad_source", kTracking},                     //
    ParameterRule{"gbraid", kTracking},                         //
    ParameterRule{"gclid", kTracking},                          //
    ParameterRule{"gclsrc", kTracking},                         //
    ParameterRule{"hsctatracking", kTracking},                  // HubSpot
    ParameterRule{"igsh", kTracking},                           // Instagram
    ParameterRule{"igshid", kTracking},                         //
    ParameterRule{"jservsessionid*", kSession},                 // JServ
    ParameterRule{"jsessionid", kSession},                      // Java servlets
    ParameterRule{"li_fat_id", kTracking},                      // LinkedIn
    ParameterRule{"matomo_*", kTracking},                       // Matomo
    ParameterRule{"mc_cid", kTracking},                         // Mailchimp
    ParameterRule{"mc_eid", kTracking},                         //
    ParameterRule{"mkt_tok", kTracking},                        // Marketo
    ParameterRule{"msclkid", kTracking},                        // Microsoft advertisements
    ParameterRule{"mtm_*", kTracking},                          // Matomo
    ParameterRule{"oly_anon_id", kTracking},                    // Omeda
    ParameterRule{"oly_enc_id", kTracking},                     //
    ParameterRule{"oscsid", kSession},                          // osCommerce
    ParameterRule{"phpsessid", kSession},                       // PHP
    ParameterRule{"pk_campaign", kTracking},                    // Piwik
    ParameterRule{"pk_kwd", kTracking},                         //
    ParameterRule{"s", kSession, ParameterRule::kHex32},        // vBulletin
    ParameterRule{"s_kwcid", kTracking},                        // Adobe
    ParameterRule{"sess", kSession, ParameterRule::kToken},     //
    ParameterRule{"sessid", kSession},                          //
    ParameterRule{"session", kSession, ParameterRule::kToken},  //
    ParameterRule{"session_id", kSession},                      //
    ParameterRule{"sessionid", kSession},                       //
    ParameterRule{"sid", kSession, ParameterRule::kToken},  // phpBB and many more; else a section, a story
    ParameterRule{"srsltid", kTracking},                    // Google Merchant
    ParameterRule{"ttclid", kTracking},                     // TikTok
    ParameterRule{"twclid", kTracking},                     // Twitter
    ParameterRule{"utm_*", kTracking},                      // Google Analytics and all who copied it
    ParameterRule{"vero_conv", kTracking},                  // Vero
    ParameterRule{"vero_id", kTracking},                    //
    ParameterRule{"wbraid", kTracking},                     // Google advertisements
    ParameterRule{"wickedid", kTracking},                   // Wicked Reports
    ParameterRule{"yclid", kTracking},                      // Yandex
    ParameterRule{"ysclid", kTracking},                     //
    ParameterRule{"zenid", kSession},                       // Zen Cart
};

static_assert(std::is_sorted(kRules.begin(), kRules.end(),
                             [](const auto& a, const auto& b) { return a.name[0] < b.name[0]; }));

// kFirst[c] to kFirst[c + 1]: the rules whose name begins with c.
constexpr std::array<std::uint8_t, 129> kFirst = [] {
  std::array<std::uint8_t, 129> first{};
  for (std::size_t c = 0; c <= 128; ++c) {
    std::uint8_t n = 0;
    while (n < kRules.size() && static_cast<std::size_t>(kRules[n].name[0]) < c) ++n;
    first[c] = n;
  }
  return first;
}();

bool is_token(std::string_view value) {
  return value.size() >= 16 && std::all_of(value.begin(), value.end(), is_ascii_alnum) &&
         std::any_of(value.begin(), value.end(), is_ascii_digit);
}

bool is_hex32(std::string_view value) {
  return value.size() == 32 &&
         std::all_of(value.begin(), value.end(), [](char c) { return hex_value(c) >= 0; });
}

bool applies(const ParameterRule& rule, std::string_view name, std::string_view value) {
  const bool prefix = rule.name.back() == '*';
  if (prefix ? !starts_ignoring_case(name, rule.name.substr(0, rule.name.size() - 1))
             : !equals_ignoring_case(name, rule.name)) {
    return false;
  }
  switch (rule.value) {
    case ParameterRule::kAny:
      return true;
    case ParameterRule::kToken:
      return is_token(value);
    case ParameterRule::kHex32:
      return is_hex32(value);
  }
  return false;
}

}  // namespace

std::span<const ParameterRule> parameter_rules() {
  return kRules;
}

ParameterKind parameter_kind(std::string_view parameter) {
  if (parameter.empty() || static_cast<unsigned char>(parameter[0]) >= 128) return ParameterKind::kContent;
  const auto letter = static_cast<std::size_t>(ascii_lower(parameter[0]));
  if (kFirst[letter] == kFirst[letter + 1]) return ParameterKind::kContent;
  const std::size_t equals = parameter.find('=');
  const std::string_view name = parameter.substr(0, equals);
  const std::string_view value =
      equals == std::string_view::npos ? std::string_view() : parameter.substr(equals + 1);
  for (std::size_t i = kFirst[letter]; i < kFirst[letter + 1]; ++i) {
    if (applies(kRules[i], name, value)) return kRules[i].kind;
  }
  return ParameterKind::kContent;
}

}  // namespace bowerbird
