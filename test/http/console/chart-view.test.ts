import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChartLayout } from '../../../src/http/console/contract/charts.ts';
import { nearestNode } from '../../../src/web/chart/nearest.ts';
import {
  atFullSize,
  openingView,
  panned,
  type View,
  viewBoxOf,
  viewShowing,
  zoomed,
} from '../../../src/web/chart/view.ts';
import { assertProperty } from '../../support/run/fast-check.ts';

const SIZE = { width: 1000, height: 500 };

describe('the view of a chart', () => {
  it('shows the whole chart first, and again when zoomed out', () => {
    expect(viewBoxOf(null, SIZE)).toBe('0 0 1000 500');
    const near = zoomed(null, SIZE, 2);
    expect(near).toEqual({ x: 250, y: 125, width: 500, height: 250 });
    expect(zoomed(near, SIZE, 0.5)).toBeNull();
  });

  it('keeps the point under the pointer in place', () => {
    expect(zoomed(null, SIZE, 2, { x: 0, y: 500 })).toEqual({ x: 0, y: 250, width: 500, height: 250 });
  });

  it('shows actual size, or the whole chart if it fits', () => {
    const low = { width: 900, height: 250 };
    expect(atFullSize(SIZE, low, { x: 500, y: 250 })).toEqual({ x: 50, y: 125, width: 900, height: 250 });
    expect(atFullSize(SIZE, { width: 1400, height: 500 }, { x: 0, y: 0 })).toBeNull();
  });

  it('opens with all of it while its texts are readable, otherwise at actual size around the centre', () => {
    expect(openingView(SIZE, { width: 920, height: 500 }, { x: 0, y: 0 })).toBeNull();
    const narrow = { width: 400, height: 500 };
    expect(openingView(SIZE, narrow, { x: 600, y: 250 })).toEqual({ x: 400, y: 0, ...narrow });
    // Hidden, like one of picture and list.
    expect(openingView(SIZE, { width: 0, height: 0 }, { x: 0, y: 0 })).toBeNull();
  });

  it('keeps a chart in the middle of a view that is larger', () => {
    const frame = { width: 400, height: 700 };
    expect(atFullSize(SIZE, frame, { x: 0, y: 0 })).toEqual({ x: 0, y: -100, ...frame });
  });

  it('pans to the focus, and only when needed', () => {
    const view = { x: 0, y: 0, width: 500, height: 250 };
    const box = { x: 800, y: 300, width: 100, height: 50 };
    expect(viewShowing(view, SIZE, box)).toEqual({ x: 416, y: 116, width: 500, height: 250 });
    const seen = viewShowing(view, SIZE, box);
    expect(viewShowing(seen, SIZE, box)).toBe(seen);
  });

  it('never leaves the chart, nor changes its proportions, under any interaction', () => {
    const coordinate = fc.double({ min: -5000, max: 5000, noNaN: true });
    const point = fc.record({ x: coordinate, y: coordinate });
    const act: fc.Arbitrary<(view: View) => View> = fc.oneof(
      fc.record({ factor: fc.double({ min: 0.1, max: 10, noNaN: true }), point }).map(
        ({ factor, point: centre }) =>
          (view: View) =>
            zoomed(view, SIZE, factor, centre),
      ),
      point.map((by) => (view: View) => panned(view, SIZE, by)),
      point.map(
        ({ x, y }) =>
          (view: View) =>
            viewShowing(view, SIZE, { x, y, width: 100, height: 40 }),
      ),
    );
    const property = fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
      const view = acts.reduce<View>((now, each) => each(now), null) ?? { x: 0, y: 0, ...SIZE };
      expect(view.x).toBeGreaterThanOrEqual(0);
      expect(view.y).toBeGreaterThanOrEqual(0);
      expect(view.x + view.width).toBeLessThanOrEqual(SIZE.width + 1e-6);
      expect(view.y + view.height).toBeLessThanOrEqual(SIZE.height + 1e-6);
      expect(view.width / view.height).toBeCloseTo(2);
      expect(view.width).toBeGreaterThan(SIZE.width / 20);
    });
    assertProperty(property);
  });
});

describe('the arrow keys', () => {
  const box = (path: string, x: number, y: number) => ({ path, x, y, width: 10, height: 10 });
  const layout: ChartLayout = {
    kind: 'sample',
    version: '1',
    ...SIZE,
    states: [box('a', 0, 0), box('b', 100, 5), box('c', 50, 80)],
    events: [{ transitionId: 't', x: 50, y: 0, width: 10, height: 10 }],
    edges: [],
    initials: [],
  };

  it('move to the nearest node in their direction, and nowhere at the edge', () => {
    expect(nearestNode(layout, 'state:a', 'ArrowRight')).toBe('event:t');
    expect(nearestNode(layout, 'event:t', 'ArrowRight')).toBe('state:b');
    expect(nearestNode(layout, 'event:t', 'ArrowDown')).toBe('state:c');
    expect(nearestNode(layout, 'state:a', 'ArrowLeft')).toBeNull();
    expect(nearestNode(layout, 'state:unknown', 'ArrowLeft')).toBeNull();
  });
});
