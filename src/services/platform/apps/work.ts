import { defineWork } from '../../../kernel/work/index.ts';

/** The compute state of an app ends. */
export const STEP_APP = defineWork<{ readonly key: string; readonly id: string }>('platform.step-app', {
  title: 'Ends a state of the compute of an app',
  subject: 'key',
  concurrency: 8,
});

export const stepAppId = (key: string): string => `${STEP_APP.kind}:${key}`;

/** A deployment of an app has succeeded or failed. */
export const FINISH_DEPLOYMENT = defineWork<{ readonly key: string; readonly deployment: string }>(
  'platform.finish-app-deployment',
  { title: 'Finishes the deployment of an app', subject: 'key', concurrency: 8 },
);

export const finishDeploymentId = (deploymentKey: string): string => `${FINISH_DEPLOYMENT.kind}:${deploymentKey}`;

/** Removes the deployments of a removed app. */
export const REMOVE_DEPLOYMENTS = defineWork<{ readonly prefix: string }>('platform.remove-app-deployments', {
  title: 'Removes the deployments of a removed app',
  subject: 'prefix',
});

export const APP_WORK = [STEP_APP, FINISH_DEPLOYMENT, REMOVE_DEPLOYMENTS] as const;
