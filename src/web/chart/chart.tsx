import { type FocusEvent, type KeyboardEvent, type ReactElement, useLayoutEffect, useRef } from 'react';
import type { ChartLayout, Point } from '../../http/console/contract/charts.ts';
import { ChartDrawing } from './drawing.tsx';
import { chartWords } from './labels.ts';
import { type ArrowKey, boxOfNode, nearestNode } from './nearest.ts';
import type { DrawnChartData } from './types.ts';
import { useView, type ViewControl } from './use-view.ts';
import { viewBoxOf } from './view.ts';

/**
 * An interactive statechart. Highlights, counts and selection are props; its own state is only the
 * visible part.
 *
 * It opens with all of it where its texts are readable then, otherwise at full size around the
 * selection, the actor's state or the initial state.
 *
 * Keys: Tab to the next state, arrows to the nearest node, Enter selects it; `+` and `-` zoom, `0`
 * shows it at full size, `f` all of it. The wheel zooms with Ctrl or ⌘ held and otherwise scrolls
 * the page.
 */
export function Chart(props: DrawnChartData): ReactElement {
  const { chart, layout } = props;
  const svg = useRef<SVGSVGElement>(null);
  const control = useView(svg, layout, centreOf(props));
  const { view, fullSize } = control;
  // Another layout is another drawing; a moved actor is not.
  const drawn = useRef<ChartLayout | null>(null);
  useLayoutEffect(() => {
    if (drawn.current === layout) return;
    drawn.current = layout;
    control.reset();
  });

  const onKeyDown = (event: KeyboardEvent<SVGSVGElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = actionOf(event.key, control);
    const name = nameOfNode(event.target);
    const neighbour = isArrow(event.key) && name !== null ? nearestNode(layout, name, event.key) : null;
    if (act === null && neighbour === null) return;
    event.preventDefault();
    // The page has its own shortcuts.
    event.stopPropagation();
    act?.();
    if (neighbour !== null) focusNode(svg.current, neighbour);
  };
  const onFocus = (event: FocusEvent<SVGSVGElement>): void => {
    const name = nameOfNode(event.target);
    const box = name === null ? null : boxOfNode(layout, name);
    if (box !== null) control.reveal(box);
  };
  return (
    <div className="chart">
      <div className="chart-tools" role="toolbar" aria-label="Size of the chart">
        <Tool sign="−" label="Zoom out (-)" onPress={control.zoomOut} />
        <Tool sign="+" label="Zoom in (+)" onPress={control.zoomIn} />
        <Tool sign="1:1" label="Size 1:1 (0)" onPress={fullSize} />
        <Tool sign="Fit" label="Fit to screen (f)" onPress={control.fit} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys only move the view; each state has a role */}
      <svg
        ref={svg}
        className={view === null ? 'chart-canvas' : 'chart-canvas is-zoomed'}
        aria-label={chartWords(chart)}
        width={layout.width}
        height={layout.height}
        viewBox={viewBoxOf(view, layout)}
        onKeyDown={onKeyDown}
        onFocus={onFocus}
        {...control.drag}
      >
        <ChartDrawing {...props} />
      </svg>
    </div>
  );
}

// Helpers

function Tool({
  sign,
  label,
  onPress,
}: {
  readonly sign: string;
  readonly label: string;
  readonly onPress: () => void;
}): ReactElement {
  return (
    <button type="button" className="chart-tool" aria-label={label} title={label} onClick={onPress}>
      {sign}
    </button>
  );
}

function actionOf(key: string, control: ViewControl): (() => void) | null {
  const actions: Readonly<Record<string, () => void>> = {
    '+': control.zoomIn,
    '=': control.zoomIn,
    '-': control.zoomOut,
    '0': control.fullSize,
    f: control.fit,
  };
  return actions[key] ?? null;
}

/** The initial centre: the selection, else the actor's state, else the start of the chart. */
function centreOf({ layout, selected, stepDetail }: DrawnChartData): Point {
  const name =
    selected === null || selected === undefined
      ? `state:${stepDetail?.step.state ?? ''}`
      : 'state' in selected
        ? `state:${selected.state}`
        : `event:${selected.transition}`;
  const box = boxOfNode(layout, name) ?? layout.initials[0]?.dot ?? null;
  return box === null ? { x: 0, y: 0 } : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

function nameOfNode(target: EventTarget): string | null {
  return target instanceof SVGElement ? (target.closest<SVGElement>('[data-node]')?.dataset.node ?? null) : null;
}

function focusNode(svg: SVGSVGElement | null, name: string): void {
  const nodes = svg?.querySelectorAll<SVGElement>('[data-node]') ?? [];
  const node = [...nodes].find((each) => each.dataset.node === name);
  node?.querySelector<SVGElement>('.chart-glass')?.focus();
}

function isArrow(key: string): key is ArrowKey {
  return key === 'ArrowLeft' || key === 'ArrowRight' || key === 'ArrowUp' || key === 'ArrowDown';
}
