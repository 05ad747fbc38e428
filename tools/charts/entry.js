// What the reports use of Observable Plot; the rest is left out of the bundle.
export { plot, line, areaY, dot, ruleX, ruleY, text, tickX } from "@observablehq/plot";
