import type { Jar } from '../../../kernel/jar-context.ts';
import type { Settings } from '../settings.ts';

/** What an engine is opened with. */
export interface EngineContext {
  readonly jar: Jar;
  readonly settings: Settings;
  /** `process`: the jar forgets its groups when its process ends, so that nothing may be left of them then. */
  readonly lifetime: 'jar' | 'process';
}
