// Checks values against the schemas of src/dash/assets/live/openapi.json: as much of JSON Schema as that file uses.
import { readFileSync } from "node:fs";

export const contract = JSON.parse(readFileSync(new URL("../src/dash/assets/live/openapi.json", import.meta.url), "utf8"));

const follow = (node) => (node.$ref ? node.$ref.slice(2).split("/").reduce((at, key) => at[key], contract) : node);
const typeOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value);
const known = new Set(["$ref", "type", "description", "enum", "properties", "required", "additionalProperties", "items", "oneOf", "minimum", "maximum", "minLength", "maxLength", "minProperties", "maxProperties", "maxItems", "format", "default", "example"]);

// What is wrong with the value, each with the path to it; none: it is as the schema says.
export function faults(value, schema, at = "$") {
  const list = [];
  schema = follow(schema);
  for (const word of Object.keys(schema)) if (!known.has(word)) throw new Error(`the check does not know '${word}'`);
  if (schema.oneOf) {
    const results = schema.oneOf.map((one) => faults(value, one, at));
    return results.some((one) => !one.length) ? [] : results[0];
  }
  const type = typeOf(value);
  const types = [schema.type ?? []].flat();
  if (types.length && !types.includes(type) && !(type === "integer" && types.includes("number"))) return [`${at} is ${type}, not ${types.join(" or ")}`];
  if (schema.enum && value !== null && !schema.enum.includes(value)) list.push(`${at}: '${value}' is not one of ${schema.enum.join(", ")}`);
  if (value < schema.minimum) list.push(`${at}: ${value} is below ${schema.minimum}`);
  if (value > schema.maximum) list.push(`${at}: ${value} is above ${schema.maximum}`);
  if (type === "string" && value.length > schema.maxLength) list.push(`${at} is too long`);
  if (type === "string" && value.length < schema.minLength) list.push(`${at} is too short`);
  if (type === "string" && schema.format === "date-time" && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)) list.push(`${at}: '${value}' is no time`);
  if (type === "array") {
    if (value.length > schema.maxItems) list.push(`${at} has too many items`);
    if (schema.items) value.forEach((item, i) => list.push(...faults(item, schema.items, `${at}[${i}]`)));
  }
  if (type !== "object") return list;
  const keys = Object.keys(value);
  if (keys.length < schema.minProperties || keys.length > schema.maxProperties) list.push(`${at} has ${keys.length} fields`);
  for (const name of schema.required ?? []) if (!(name in value)) list.push(`${at}.${name} is missing`);
  for (const [name, part] of Object.entries(value)) {
    const own = schema.properties?.[name];
    if (own) list.push(...faults(part, own, `${at}.${name}`));
    else if (schema.additionalProperties === false) list.push(`${at}.${name} is not in the contract`);
    else if (typeof schema.additionalProperties === "object") list.push(...faults(part, schema.additionalProperties, `${at}.${name}`));
  }
  return list;
}

// The schema of the answer to a call, "GET /api/v1/status", with a code.
export function answerSchema(method, path, code) {
  const operation = contract.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not in the contract`);
  const response = operation.responses[code];
  if (!response) throw new Error(`${method} ${path} may not answer ${code}`);
  return follow(response).content?.["application/json"]?.schema;
}
export const bodySchema = (path) => contract.paths[path].post.requestBody.content["application/json"].schema;
