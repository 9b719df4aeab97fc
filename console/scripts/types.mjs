// Writes TypeScript types of the jar's OpenAPI documents into the folder given as argument; see scripts/lib/console.mjs.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { startJar } from '../../src/testing/index.ts';

const [, , folder = ''] = process.argv;
mkdirSync(folder, { recursive: true });
const jar = await startJar();
try {
  const read = async (path) => (await fetch(new URL(path, jar.url))).json();
  const { tags } = await read('/_jar/openapi.json');
  for (const { name } of tags) {
    const began = performance.now();
    const document = await read(`/_jar/openapi.json?service=${name}`);
    writeFileSync(join(folder, `${name}.ts`), astToString(await openapiTS(document)));
    if (process.env.TIMES) console.log(name, Math.round(performance.now() - began), JSON.stringify(document).length);
  }
} finally {
  await jar.close();
}
