import { defineWork } from '../../../kernel/work/index.ts';

/** The state that the compute of an app is in has come to its end. */
export const STEP_APP = defineWork<{ readonly key: string; readonly id: string }>('platform.step-app', {
  concurrency: 8,
});

export const stepAppId = (key: string): string => `${STEP_APP.kind}:${key}`;

/** A deployment of an app has been made, or has failed. */
export const FINISH_DEPLOYMENT = defineWork<{ readonly key: string; readonly deployment: string }>(
  'platform.finish-app-deployment',
  { concurrency: 8 },
);

export const finishDeploymentId = (deploymentKey: string): string => `${FINISH_DEPLOYMENT.kind}:${deploymentKey}`;

/** An app is gone: its deployments go as well. */
export const REMOVE_DEPLOYMENTS = defineWork<{ readonly prefix: string }>('platform.remove-app-deployments');

export const APP_WORK = [STEP_APP, FINISH_DEPLOYMENT, REMOVE_DEPLOYMENTS] as const;
