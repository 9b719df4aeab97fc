import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type MetricValue,
  metricSegments,
  type SegmentTail,
} from '../../../../src/services/platform/tracking/collections.ts';
import { comparePoints, orderOf, type Point } from '../../../../src/services/platform/tracking/metrics/points.ts';
import { addPoints, inOrder, pointsAfter } from '../../../../src/services/platform/tracking/metrics/segments.ts';
import { SERVICES } from '../../../../src/services.ts';
import { JarProbe } from '../../../support/jar-probe.ts';
import { onBothStores } from '../../../support/jars.ts';

const values: fc.Arbitrary<MetricValue> = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.constantFrom<MetricValue>('NaN', 'Infinity', '-Infinity', Number.MAX_VALUE, -Number.MIN_VALUE),
);
const point = (times: fc.Arbitrary<number>, steps: fc.Arbitrary<number>): fc.Arbitrary<Point> =>
  fc.record({ value: values, timestamp: times, step: steps });

const anyPoint = point(
  fc.oneof(fc.maxSafeNat(), fc.nat({ max: 3 }), fc.constant(Number.MAX_SAFE_INTEGER)),
  fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -2, max: 2 }), fc.constant(-Number.MAX_SAFE_INTEGER)),
);

const plain = ({ value, timestamp, step }: Point): string => `${timestamp} ${step} ${value}`;

describe('the order of points', () => {
  it('is that of their texts', () => {
    fc.assert(
      fc.property(anyPoint, anyPoint, (a, b) => {
        const [one, other] = [orderOf(a), orderOf(b)];
        expect(Math.sign(comparePoints(a, b))).toBe(one < other ? -1 : one > other ? 1 : 0);
      }),
      { numRuns: 2000 },
    );
  });
});

const probe = new JarProbe();

onBothStores(
  'histories in segments',
  () => {
    const store = () => probe.jar.store;
    let series = 0;

    /** Logs batches one after another, like requests. */
    async function log(batches: readonly (readonly Point[])[]): Promise<{ name: string; counted: number }> {
      const name = `series-${++series}`;
      let tail: SegmentTail | undefined;
      let counted = 0;
      for (const batch of batches) {
        const points = inOrder(batch);
        if (points.length === 0) continue;
        const [added] = await store().transact((tx) => addPoints(tx, [{ series: name, tail, points }]));
        tail = added?.tail;
        counted += added?.count ?? 0;
      }
      return { name, counted };
    }

    async function read(name: string, after?: string): Promise<readonly Point[]> {
      const points: Point[] = [];
      for await (const part of pointsAfter(store(), name, after)) points.push(...part);
      return points;
    }

    it('have every point once and in order, whatever the order of logging', async () => {
      const near = point(fc.nat({ max: 400 }), fc.integer({ min: -5, max: 5 }));
      const batches = fc.array(fc.array(near, { maxLength: 150 }), { maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(batches, fc.nat(), async (sent, random) => {
          const { name, counted } = await log(sent);
          const expected = inOrder(sent.flat());
          const found = await read(name);
          expect(found.map(plain)).toEqual(expected.map(plain));
          expect(counted).toBe(expected.length);
          const place = expected[random % Math.max(1, expected.length)];
          if (place)
            expect((await read(name, orderOf(place))).map(plain)).toEqual(
              expected.filter((each) => comparePoints(each, place) > 0).map(plain),
            );
        }),
        { numRuns: 12 },
      );
    });

    it('are few documents: a batch is one, and points that come one by one fill the last', async () => {
      const batch = Array.from({ length: 1000 }, (_, step): Point => ({ value: step, timestamp: step, step }));
      const { name: bulk } = await log([batch]);
      expect(await store().count(metricSegments, { prefix: `${bulk}/` })).toBe(1);
      const { name: single } = await log(batch.slice(0, 200).map((each) => [each]));
      expect(await store().count(metricSegments, { prefix: `${single}/` })).toBe(4);
      const { name: backwards } = await log(
        batch
          .slice(0, 200)
          .map((each) => [each])
          .reverse(),
      );
      expect(await read(backwards)).toEqual(batch.slice(0, 200));
      expect(await store().count(metricSegments, { prefix: `${backwards}/` })).toBeLessThan(10);
    });
  },
  { services: [...SERVICES, probe.service] },
);
