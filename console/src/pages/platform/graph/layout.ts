/** A thing of a graph, and the things that it waits for. */
export interface Needing {
  readonly id: string;
  readonly needs: readonly { readonly id: string; readonly label?: string | undefined }[];
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly label?: string | undefined;
  /** From the right side of a thing to the left side of another; pairs of points are joined by a curve, then by a straight line. */
  readonly points: readonly Place[];
}

export interface Layout {
  readonly places: ReadonlyMap<string, Place>;
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

export const NODE = { width: 184, height: 52 };
const GAP = { x: 56, y: 16 };
/** Height of the room that an edge takes in the columns that it passes. */
const LANE = 8;
const SWEEPS = 6;

interface Link {
  readonly from: string;
  readonly to: string;
  readonly label?: string | undefined;
  /** The thing, or the room in a column, at each end of its parts. */
  readonly way: readonly string[];
}

/** Places a graph in columns from left to right: each thing is right of all that it waits for, and edges pass between the others. */
export function layoutOf(things: readonly Needing[]): Layout {
  const known = new Set(things.map(({ id }) => id));
  const needs = things.flatMap(({ id, needs: each }) =>
    each.flatMap((need) => (known.has(need.id) ? [{ from: need.id, to: id, label: need.label }] : [])),
  );
  const depths = depthsOf(things, needs);
  const columns: string[][] = Array.from({ length: Math.max(-1, ...depths.values()) + 1 }, () => []);
  for (const { id } of things) columns[depths.get(id) ?? 0]?.push(id);
  const links = needs.map((need, number): Link => {
    const [start, end] = [depths.get(need.from) ?? 0, depths.get(need.to) ?? 0];
    const rooms = Array.from({ length: Math.max(0, end - start - 1) }, (_, index) => `${number} ${index}\n`);
    for (const [index, room] of rooms.entries()) columns[start + 1 + index]?.push(room);
    return { ...need, way: [need.from, ...rooms, need.to] };
  });
  untangle(columns, links);
  const heightOf = (id: string): number => (known.has(id) ? NODE.height : LANE);
  const heights = columns.map((ids) => ids.reduce((sum, id) => sum + heightOf(id) + GAP.y, -GAP.y));
  const height = Math.max(0, ...heights);
  const places = new Map<string, Place>();
  for (const [column, ids] of columns.entries()) {
    let y = (height - (heights[column] ?? 0)) / 2;
    for (const id of ids) {
      places.set(id, { x: column * (NODE.width + GAP.x), y });
      y += heightOf(id) + GAP.y;
    }
  }
  return {
    places,
    edges: links.map((link) => ({ ...link, points: pointsOf(link, places, heightOf) })),
    width: Math.max(0, columns.length * (NODE.width + GAP.x) - GAP.x),
    height,
  };
}

/** The column of each thing: the length of the longest way to it. */
function depthsOf(things: readonly Needing[], needs: readonly { readonly from: string; readonly to: string }[]) {
  const before = new Map<string, string[]>(things.map(({ id }) => [id, []]));
  for (const { from, to } of needs) before.get(to)?.push(from);
  const depths = new Map<string, number>();
  const depthOf = (id: string): number => {
    const found = depths.get(id);
    if (found !== undefined) return found;
    // A circle, which no API accepts, must not hang the page.
    depths.set(id, 0);
    const depth = Math.max(-1, ...(before.get(id) ?? []).map(depthOf)) + 1;
    depths.set(id, depth);
    return depth;
  };
  for (const { id } of things) depthOf(id);
  return depths;
}

/** Moves everything towards the middle of its neighbours, from left to right and back, which removes most crossings. */
function untangle(columns: readonly string[][], links: readonly Link[]): void {
  const before = new Map<string, string[]>();
  const after = new Map<string, string[]>();
  const add = (map: Map<string, string[]>, id: string, other: string): void => {
    map.set(id, [...(map.get(id) ?? []), other]);
  };
  for (const { way } of links) {
    for (const [index, id] of way.entries()) {
      const next = way[index + 1];
      if (next === undefined) continue;
      add(after, id, next);
      add(before, next, id);
    }
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0;
    const neighbours = isForward ? before : after;
    for (const ids of isForward ? columns : columns.toReversed()) {
      const rows = new Map(columns.flatMap((each) => each.map((id, row) => [id, row - each.length / 2] as const)));
      const middleOf = (id: string): number => {
        const found = neighbours.get(id) ?? [];
        if (found.length === 0) return rows.get(id) ?? 0;
        return found.reduce((sum, each) => sum + (rows.get(each) ?? 0), 0) / found.length;
      };
      ids.sort((one, other) => middleOf(one) - middleOf(other));
    }
  }
}

function pointsOf({ way }: Link, places: ReadonlyMap<string, Place>, heightOf: (id: string) => number): Place[] {
  const points = way.flatMap((id) => {
    const { x, y } = places.get(id) ?? { x: 0, y: 0 };
    const middle = y + heightOf(id) / 2;
    return [
      { x, y: middle },
      { x: x + NODE.width, y: middle },
    ];
  });
  return points.slice(1, -1);
}
