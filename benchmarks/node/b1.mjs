// B1: the whole file as one text, split into lines, each parsed.
import { readFileSync } from "node:fs";
import { Lookups } from "./lookups.mjs";

const lookups = new Lookups();
for (const line of readFileSync(process.argv[2], "utf8").split("\n")) {
  if (line !== "") lookups.add(JSON.parse(line));
}
process.stdout.write(JSON.stringify(lookups.values(), null, 2) + "\n");
