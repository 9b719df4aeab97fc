import { type ArmCall, armRoutesFor } from '../../kernel/arm/index.ts';
import { routesFor } from '../../kernel/http/index.ts';
import type { Jar } from '../../kernel/service/index.ts';
import type { OpenSettings } from '../../kernel/settings/index.ts';
import type { Settings } from './settings-table.ts';

/** The jar as the code of this service sees it. */
export interface SubscriptionsJar extends Jar {
  readonly settings: OpenSettings<Settings>;
}

export type SubscriptionsCall = ArmCall<ArmCall['params'], ArmCall['query'], unknown, SubscriptionsJar>;

export const { armRoute, armCode } = armRoutesFor<SubscriptionsJar>();
/** For the pages for new owners. */
export const { route } = routesFor<SubscriptionsJar>();
