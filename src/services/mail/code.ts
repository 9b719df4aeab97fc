import type { ServiceCode } from '../../kernel/service/index.ts';
import type { OpenSettings } from '../../kernel/settings/index.ts';
import { authenticate } from './access/authenticate.ts';
import { locateCall, prepareCall } from './api/handle.ts';
import { expireUpload } from './attachments/uploads/remove.ts';
import { uploadRoutes } from './attachments/uploads/routes.ts';
import { batchRoutes } from './batch/routes.ts';
import { mailControl } from './control/routes.ts';
import { forgetRemovals } from './delta/removals.ts';
import { copyMessages } from './folders/copy.ts';
import { purgeFolder } from './folders/purge.ts';
import { markMessages } from './folders/read-state.ts';
import { tidyMailbox } from './mailbox/tidy.ts';
import { locateSubscriptions } from './notifications/handle.ts';
import { HANDSHAKE_POLICY } from './notifications/handshake.ts';
import { remindOfAuthorization } from './notifications/lifecycle.ts';
import { LIFECYCLE_POLICY, NOTIFICATION_POLICY } from './notifications/policy.ts';
import { expireSubscription } from './notifications/remove.ts';
import { subscriptionRoutes } from './notifications/routes.ts';
import { MAIL_PAGES } from './page/names.ts';
import { pageRoutes } from './page/routes.ts';
import { placeRoutes } from './rooms/routes.ts';
import { mailRoutes } from './routes.ts';
import { sendNotices } from './sending/notice.ts';
import { mailRelay } from './sending/relay.ts';
import { routeMail } from './sending/route.ts';
import type { Settings } from './settings-table.ts';

/** Code of the service that is loaded with the first request or the first mail to deliver. */
export const mailCode = (settings: OpenSettings<Settings>): ServiceCode => ({
  routes: [...mailRoutes, ...placeRoutes, ...batchRoutes, ...subscriptionRoutes, ...uploadRoutes],
  steps: [locateCall, locateSubscriptions, authenticate, prepareCall],
  apis: { [MAIL_PAGES]: { routes: pageRoutes, steps: [authenticate] } },
  settings,
  work: [
    routeMail,
    sendNotices,
    tidyMailbox,
    expireUpload,
    forgetRemovals,
    purgeFolder,
    copyMessages,
    markMessages,
    expireSubscription,
    remindOfAuthorization,
  ],
  policies: [mailRelay, HANDSHAKE_POLICY, NOTIFICATION_POLICY, LIFECYCLE_POLICY],
  control: mailControl,
});
