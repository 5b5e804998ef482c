import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrange } from '../../../src/http/console/layout/arrange.ts';
import { withElk } from '../../../src/http/console/layout/elk-thread.ts';
import { arbitraryChart } from '../../support/charts/arbitrary-chart.ts';
import { brokenRules } from '../../support/charts/layout-rules.ts';
import { assertAsyncProperty } from '../../support/run/fast-check.ts';

describe('the layout of any chart', () => {
  it('draws everything without overlaps, and edges from box to box', async () => {
    // One worker for all: starting one takes longer than laying out a chart.
    await withElk((elk) => {
      const property = fc.asyncProperty(arbitraryChart, async (chart) => {
        expect(brokenRules(await arrange(chart, elk), chart)).toEqual([]);
      });
      return assertAsyncProperty(property, { numRuns: 20, endOnFailure: true });
    });
  }, 90_000);
});
