import type { GroupEngine } from '../../../../kernel/engines/index.ts';
import { processTime } from '../../../../kernel/time/index.ts';
import type { Program } from './program.ts';

/** Time to live of the cached list of the engine's images. */
const REMEMBERED_MS = 60_000;

const PYTHON = /(^|\/)python(:|@|$)/;
const SHELL = /(^|\/)(python|busybox|alpine|debian|ubuntu)(:|@|$)/;
/** Images whose names define a simulated behaviour are always simulated. */
const SIMULATED = /(^|\/)simulated\//;

/**
 * Chooses the image of a task: the image that the task names, otherwise a suitable image of the engine. Without an image the task is
 * simulated.
 */
export class TaskImages {
  readonly #engine: GroupEngine;
  readonly #usual: string | undefined;
  #images: readonly string[] = [];
  #readAt: number | undefined;
  #reading: Promise<void> | undefined;

  /** `usual` is the image that the configuration sets for programs. */
  constructor(engine: GroupEngine, usual: string | undefined) {
    this.#engine = engine;
    this.#usual = usual;
  }

  /**
   * To be called before a transaction that may start tasks: a transaction may await nothing but the store. Concurrent calls await the same
   * response of the engine; otherwise the second call would find no image.
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
