import { describe, expect, it } from 'vitest';
import { ownerLabel, simulatedCollections } from '../../../src/kernel/engines/index.ts';

describe('an owner of containers', () => {
  it('has a label that follows from the jar and its name', () => {
    expect(ownerLabel('3f2504e0-4f89-41d3-9a0c-0305e82c3301', 'jobs')).toBe(
      '3f2504e0-4f89-41d3-9a0c-0305e82c3301.jobs',
    );
  });

  it('cannot have a label that an engine would refuse', () => {
    for (const name of ['', 'with space', 'a=b', '-', 'x'.repeat(30)]) {
      expect(() => ownerLabel('3f2504e0-4f89-41d3-9a0c-0305e82c3301', name)).toThrow('cannot be the label of an owner');
    }
  });

  it('has collections for simulated containers, under the names of every release', () => {
    expect(Object.values(simulatedCollections('containers')).map(({ name }) => name)).toEqual([
      'containers.simulated_sandboxes',
      'containers.simulated_containers',
      'containers.simulated_images',
    ]);
  });
});
