import { join } from 'node:path';
import { PLAN } from './plan.ts';
import { trainSystem } from './train-system.ts';

// Usage: node tools/detector/train.ts <Common Voice folder> <work folder> [system…]
const [commonVoice = '', work = '', ...systems] = process.argv.slice(2);
const folders = { commonVoice, text: join(work, 'text'), drawn: join(work, 'drawn') };
for (const [system, plan] of Object.entries(PLAN)) {
  if (systems.length === 0 || systems.includes(system)) trainSystem(system, plan, folders, join(work, 'model'));
}
