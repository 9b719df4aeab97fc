// Run as a separate process that is killed: creates a group with all its objects and reports it.
import { openDocker } from '../../../src/kernel/engines/docker/index.ts';
import { engineContext, openTestJar } from './jar.ts';
import { containerPlan, groupPlan } from './plans.ts';

const { jar } = await openTestJar();
const engine = await openDocker(engineContext(jar), process.argv[2]);
const mounts = [{ volume: 'data', path: '/data', readOnly: false }];
const plan = groupPlan({ containers: [containerPlan({ mounts })], volumes: [{ name: 'data', kind: 'emptyDir' }] });
await engine.createSandbox(plan, 1, new AbortController().signal);
await engine.startContainer(plan, plan.containers[0]!, { generation: 1, run: 1 });
console.log(`made ${plan.uid}`);
