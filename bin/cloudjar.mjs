#!/usr/bin/env node
import { runCli } from '../scripts/lib/cli.mjs';
import { main } from '../scripts/lib/say.mjs';

await main(() => runCli(process.argv.slice(2)));
