import type { Jar, OpenService } from '../../../src/kernel/service/index.ts';
import { bellRoutes, forgetBell } from './bell.ts';
import { bellControl } from './control.ts';
import type { BellsJar } from './jar.ts';
import { bellWebhook } from './policy.ts';
import { ring } from './ring.ts';
import { BELL } from './type.ts';

export function openBells(jar: Jar): OpenService {
  const own: BellsJar = { ...jar, heard: { count: 0 } };
  return {
    jar: own,
    routes: bellRoutes,
    control: bellControl,
    work: [ring],
    policies: [bellWebhook],
    onDelete: { [BELL.type]: forgetBell },
    stateReplaced() {
      own.heard.count = 0;
    },
  };
}
