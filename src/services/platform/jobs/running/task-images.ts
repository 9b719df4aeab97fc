import type { GroupEngine } from '../../../../kernel/engines/index.ts';
import { processTime } from '../../../../kernel/time/index.ts';
import type { Program } from './program.ts';

/** How long what the engine has is taken to be as it was. */
const REMEMBERED_MS = 60_000;

const PYTHON = /(^|\/)python(:|@|$)/;
const SHELL = /(^|\/)(python|busybox|alpine|debian|ubuntu)(:|@|$)/;
/** Images that stand for a behaviour are simulated wherever they are named. */
const SIMULATED = /(^|\/)simulated\//;

/** Which image a task runs in: the one that it names, else one that the engine has for it. None: the task is simulated. */
export class TaskImages {
  readonly #engine: GroupEngine;
  readonly #usual: string | undefined;
  #images: readonly string[] = [];
  #readAt: number | undefined;
  #reading: Promise<void> | undefined;

  /** `usual` is the image that the configuration names for programs. */
  constructor(engine: GroupEngine, usual: string | undefined) {
    this.#engine = engine;
    this.#usual = usual;
  }

  /**
   * To be called before a transaction that may start tasks: within one nothing but the store may be waited for. All who call meanwhile wait for the
   * same answer of the engine: otherwise the second one would find no image.
   */
  async refresh(): Promise<void> {
    if (this.#engine.name === 'simulated') return;
    if (this.#readAt === undefined || processTime() - this.#readAt >= REMEMBERED_MS) this.#reading ??= this.#read();
    await this.#reading;
  }

  async #read(): Promise<void> {
    try {
      const found = await this.#engine.cachedImages().catch(() => []);
      this.#images = found.filter(({ osType }) => osType === 'Linux').map(({ image }) => image);
    } finally {
      this.#readAt = processTime();
      this.#reading = undefined;
    }
  }

  imageFor(needs: Program['needs'], named: string | undefined): string | undefined {
    if (this.#engine.name === 'simulated' || (named !== undefined && SIMULATED.test(named))) return undefined;
    if (named !== undefined || needs === 'image') return named;
    return this.#usual ?? this.#images.find((image) => (needs === 'python' ? PYTHON : SHELL).test(image));
  }
}
