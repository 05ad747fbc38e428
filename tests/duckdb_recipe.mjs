// Queries an export with DuckDB and writes it as Parquet: node duckdb_recipe.mjs NPM_FOLDER PAGES.jsonl.gz OUT.parquet
import path from "node:path";
import { createRequire } from "node:module";

const [folder, pages, parquet] = process.argv.slice(2);
const require = createRequire(path.join(path.resolve(folder), "package.json"));
const { DuckDBInstance } = require("@duckdb/node-api");

const connection = await (await DuckDBInstance.create(":memory:")).connect();
const table = `read_json('${pages}', format = 'newline_delimited')`;
const first = async (sql) => (await connection.runAndReadAll(sql)).getRows()[0];
const [count] = await first(`SELECT count(*) FROM ${table}`);
const [best] = await first(`SELECT title FROM ${table} ORDER BY pagerank DESC, url LIMIT 1`);
await connection.run(`COPY (SELECT * FROM ${table}) TO '${parquet}' (FORMAT parquet)`);
const [stored] = await first(`SELECT count(*) FROM read_parquet('${parquet}') WHERE length(main_text) > 0`);
console.log(JSON.stringify({ pages: Number(count), best, in_parquet: Number(stored) }));
