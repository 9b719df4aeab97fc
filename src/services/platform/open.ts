import type { Jar, OpenService } from '../../kernel/service/index.ts';
import { Gate } from '../../kernel/values/index.ts';
import { authenticate } from './access/authenticate.ts';
import { PrincipalsByObject } from './access/by-objects.ts';
import { expireCredential } from './access/expire-credential.ts';
import { Standings } from './access/standing.ts';
import { throttle } from './access/throttle.ts';
import { TokenUses } from './access/token-uses.ts';
import { accountControl } from './accounts/control.ts';
import { accountWork } from './accounts/workspace-work.ts';
import { APP_HANDLERS } from './apps/handlers.ts';
import { abandonBlob, dropBlobWork } from './blobs/staged.ts';
import { CATALOG_HANDLERS } from './catalog/handlers.ts';
import { CLEAN_ROOM_HANDLERS } from './clean-rooms/handlers.ts';
import { CommandWatch } from './compute/contexts/containers/command-watch.ts';
import { removeOrphans } from './compute/contexts/containers/orphans.ts';
import { wakeContextContainer } from './compute/contexts/containers/sync.ts';
import { COMPUTE_HANDLERS } from './compute/handlers.ts';
import { expireHandle } from './dbfs/handles.ts';
import { NOTIFICATION_POLICIES } from './destinations/policies.ts';
import { purgeObject, removeChildren } from './engine/purge.ts';
import { endUploadWork } from './files/sessions.ts';
import { abandonCheckout } from './git/abandon.ts';
import type { PlatformJar } from './jar.ts';
import { spreadAcl } from './jobs/api/guarded-jobs.ts';
import { warnDuration } from './jobs/notifications/warn-duration.ts';
import { openTaskEngine } from './jobs/running/engine.ts';
import { runningWork } from './jobs/running/handlers.ts';
import { Plans } from './jobs/running/plan.ts';
import { TaskImages } from './jobs/running/task-images.ts';
import { wakeContainer } from './jobs/running/wake-container.ts';
import { fireJob } from './jobs/schedule/fire.ts';
import { forgetRun } from './jobs/schedule/forget-run.ts';
import { checkArrivals } from './jobs/triggers/check.ts';
import { checkCatalog } from './jobs/triggers/check-catalog.ts';
import { noticeArrival } from './jobs/triggers/notice.ts';
import { noticeCatalog } from './jobs/triggers/notice-catalog.ts';
import { sendOnTime } from './lakeview/on-time.ts';
import { increaseControl } from './limits/increases/control.ts';
import { marketControl } from './marketplace/control.ts';
import { MONITOR_HANDLERS } from './monitors/refreshes.ts';
import { AddressGuards } from './network/address-guards.ts';
import { endpointControl } from './network/connectivity/control.ts';
import { stepEndpoint } from './network/connectivity/endpoints.ts';
import { checkAddress } from './network/guard.ts';
import { purgeNotebook } from './notebooks/extras.ts';
import { PIPELINE_HANDLERS } from './pipelines/handlers.ts';
import { purgeModel } from './registry/purge.ts';
import { registerVersion } from './registry/versions.ts';
import { REGISTRY_POLICIES } from './registry/webhooks/deliver.ts';
import { platformRoutes } from './routes.ts';
import { wakeModelContainer } from './serving/containers/sync.ts';
import { SERVING_HANDLERS } from './serving/finish-update.ts';
import { ServingLoad } from './serving/query/load.ts';
import { settingsOf } from './settings.ts';
import { alertControl } from './sql/evaluation/control.ts';
import { evaluateOnTime } from './sql/evaluation/schedule.ts';
import { resultControl } from './sql/results/control.ts';
import { purgeLoggedModel } from './tracking/models/lifecycle.ts';
import { purgeExperiment, purgeRuns } from './tracking/purge.ts';
import { purgeDirectory } from './tree/purge.ts';
import { WAREHOUSE_HANDLERS } from './warehouses/handlers.ts';
import { STATEMENT_HANDLERS } from './warehouses/statements/run.ts';

export async function openPlatform(jar: Jar): Promise<OpenService & { readonly jar: PlatformJar }> {
  const engine = await openTaskEngine(jar);
  const taskImages = new TaskImages(engine, settingsOf(jar).taskImage);
  const own: PlatformJar = {
    ...jar,
    callerIdentities: new Standings(jar),
    byObjects: new PrincipalsByObject(jar),
    engine,
    taskImages,
    plans: new Plans(),
    commandWatch: new CommandWatch(),
    addressGuards: new AddressGuards(jar),
    tokenUses: new TokenUses(jar),
    checkouts: new Gate({ running: 2, waiting: 50 }),
    servingLoad: new ServingLoad(),
  };
  jar.store.onChange((tx, change) => noticeArrival(tx, own, change));
  jar.store.onChange((tx, change) => noticeCatalog(tx, own, change));
  const watching = await engine.watch((uid) => {
    void wakeContainer(own, uid);
    void wakeContextContainer(own, uid);
    void wakeModelContainer(own, uid);
  });
  return {
    jar: own,
    routes: platformRoutes,
    steps: [authenticate, checkAddress, throttle],
    work: [
      // One per line.
      ...accountWork,
      ...runningWork,
      expireCredential,
      checkArrivals,
      checkCatalog,
      fireJob,
      forgetRun,
      spreadAcl,
      warnDuration,
      purgeObject,
      abandonBlob,
      abandonCheckout,
      dropBlobWork,
      endUploadWork,
      evaluateOnTime,
      expireHandle,
      purgeDirectory,
      purgeLoggedModel,
      purgeNotebook,
      removeChildren,
      sendOnTime,
      ...CATALOG_HANDLERS,
      ...CLEAN_ROOM_HANDLERS,
      ...MONITOR_HANDLERS,
      ...COMPUTE_HANDLERS,
      ...WAREHOUSE_HANDLERS,
      ...STATEMENT_HANDLERS,
      ...SERVING_HANDLERS,
      ...APP_HANDLERS,
      purgeExperiment,
      purgeRuns,
      purgeModel,
      registerVersion,
      ...PIPELINE_HANDLERS,
      stepEndpoint,
    ],
    policies: [...NOTIFICATION_POLICIES, ...REGISTRY_POLICIES],
    control: [
      ...accountControl,
      ...alertControl,
      ...endpointControl,
      ...increaseControl,
      ...marketControl,
      ...resultControl,
    ],
    stateReplaced() {
      own.callerIdentities.forget();
      own.byObjects.forget();
      own.addressGuards.forget();
      own.servingLoad.forget();
      own.commandWatch.forgetAll();
      void removeOrphans(own);
    },
    async close() {
      watching.close();
      own.commandWatch.forgetAll();
      await own.tokenUses.written();
      await engine.close();
    },
  };
}
