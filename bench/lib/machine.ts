import { arch, cpus, platform, totalmem } from 'node:os';

/** Describes the machine and software of a run, without which figures are meaningless. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.trim();
  const memory = Math.round(totalmem() / 1024 ** 3);
  const processor = model === undefined || model === 'unknown' ? arch() : `${model} (${arch()})`;
  return `${processor}, ${cpus().length} cores, ${memory} GB, ${platform()}, Node ${process.version}`;
}
