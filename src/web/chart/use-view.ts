import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Point } from '../../http/console/contract/charts.ts';
import { atFullSize, type ChartSize, openingView, panned, type View, viewShowing, ZOOM_STEP, zoomed } from './view.ts';

/** Zooming and panning by wheel, drag, keys and buttons. */
export interface ViewControl {
  readonly view: View;
  zoomIn(): void;
  zoomOut(): void;
  fit(): void;
  fullSize(): void;
  /** Back to the view it opens with, which follows the centre. */
  reset(): void;
  reveal(box: Parameters<typeof viewShowing>[2]): void;
  /** Props of the SVG element. */
  readonly drag: {
    onPointerDown(event: PointerEvent<SVGSVGElement>): void;
    onPointerMove(event: PointerEvent<SVGSVGElement>): void;
    onPointerUp(event: PointerEvent<SVGSVGElement>): void;
    onPointerCancel(event: PointerEvent<SVGSVGElement>): void;
    onClickCapture(event: { stopPropagation(): void }): void;
  };
}

/** A press that moves less is a click. */
const CLICK_TOLERANCE_PX = 4;

/** @param centre What to show first where the whole chart would be too small to read. */
export function useView(svg: RefObject<SVGSVGElement | null>, size: ChartSize, centre: Point): ViewControl {
  // Undefined until the user zooms or pans.
  const [chosen, setChosen] = useState<View | undefined>(undefined);
  const frame = useFrame(svg);
  const opening = openingView(size, frame, centre);
  const view = chosen === undefined ? opening : chosen;
  const setView = (next: (now: View) => View): void => {
    setChosen((now) => next(now === undefined ? opening : now));
  };
  const press = useRef<{ from: Point; last: Point; isDrag: boolean } | null>(null);
  const hasDragged = useRef(false);
  const { width, height } = size;

  // React's wheel listeners are passive and cannot prevent the browser's own zoom.
  useEffect(() => {
    const element = svg.current;
    if (element === null) return;
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const pointer = chartPoint(element, event);
      setView((now) => zoomed(now, { width, height }, Math.exp(-event.deltaY / 300), pointer));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  });

  const end = (): void => {
    hasDragged.current = press.current?.isDrag ?? false;
    press.current = null;
  };
  return {
    view,
    zoomIn: () => setView((now) => zoomed(now, size, ZOOM_STEP)),
    zoomOut: () => setView((now) => zoomed(now, size, 1 / ZOOM_STEP)),
    fit: () => setChosen(null),
    fullSize: () => setChosen(atFullSize(size, frame.width === 0 ? size : frame, centre)),
    reset: () => setChosen(undefined),
    reveal: (box) => setView((now) => viewShowing(now, size, box)),
    drag: {
      onPointerDown: (event) => {
        hasDragged.current = false;
        if (view === null || event.button !== 0) return;
        const at = { x: event.clientX, y: event.clientY };
        press.current = { from: at, last: at, isDrag: false };
      },
      onPointerMove: (event) => {
        const pressed = press.current;
        if (pressed === null) return;
        const at = { x: event.clientX, y: event.clientY };
        if (!pressed.isDrag && Math.hypot(at.x - pressed.from.x, at.y - pressed.from.y) > CLICK_TOLERANCE_PX) {
          pressed.isDrag = true;
          // Not earlier: capturing the pointer would take the click from the node it started on.
          event.currentTarget.setPointerCapture(event.pointerId);
        }
        if (!pressed.isDrag) return;
        const scale = event.currentTarget.getScreenCTM()?.a ?? 1;
        const by = { x: (pressed.last.x - at.x) / scale, y: (pressed.last.y - at.y) / scale };
        pressed.last = at;
        setView((now) => panned(now, size, by));
      },
      onPointerUp: end,
      onPointerCancel: end,
      onClickCapture: (event) => {
        if (hasDragged.current) event.stopPropagation();
        hasDragged.current = false;
      },
    },
  };
}

// Helpers

/** Size of the element on the screen; zero where it is hidden, as one of picture and list is. */
function useFrame(svg: RefObject<SVGSVGElement | null>): ChartSize {
  const [frame, setFrame] = useState<ChartSize>({ width: 0, height: 0 });
  // Before the first paint, so that the chart does not jump.
  useLayoutEffect(() => {
    const element = svg.current;
    if (element === null) return;
    const measure = (): void => {
      const { width, height } = element.getBoundingClientRect();
      setFrame((now) => (now.width === width && now.height === height ? now : { width, height }));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [svg]);
  return frame;
}

/** The pointer's position in chart coordinates. */
function chartPoint(element: SVGSVGElement, { clientX, clientY }: MouseEvent): Point {
  const point = new DOMPoint(clientX, clientY).matrixTransform(element.getScreenCTM()?.inverse());
  return { x: point.x, y: point.y };
}
