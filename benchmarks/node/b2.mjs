// B2: chunks of 1 MiB, cut at line feeds, so that memory stays flat.
import { openSync, readSync } from "node:fs";
import { Lookups } from "./lookups.mjs";

const CHUNK = 1 << 20;
const lookups = new Lookups();
const file = openSync(process.argv[2], "r");
let buffer = Buffer.allocUnsafe(2 * CHUNK);
let held = 0;
for (;;) {
  if (buffer.length - held < CHUNK) buffer = Buffer.concat([buffer.subarray(0, held)], 2 * buffer.length);
  const read = readSync(file, buffer, held, CHUNK, null);
  if (read === 0) break;
  held += read;
  const end = buffer.lastIndexOf(10, held - 1) + 1;
  if (end === 0) continue;
  for (let s=0,i; (i=buffer.indexOf(10,s))>=0 && i<end; s=i+1) { const line=buffer.utf8Slice(s,i);
    if (line !== "") lookups.add(JSON.parse(line));
  }
  buffer.copy(buffer, 0, end, held);
  held -= end;
}
if (held > 0) lookups.add(JSON.parse(buffer.toString("utf8", 0, held)));
process.stdout.write(JSON.stringify(lookups.values(), null, 2) + "\n");
