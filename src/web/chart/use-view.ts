import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Point } from '../../http/console/contract/charts.ts';
import { atFullSize, type ChartSize, panned, type View, viewShowing, ZOOM_STEP, zoomed } from './view.ts';

/** Zooming and panning by wheel, drag, keys and buttons. */
export interface ViewControl {
  readonly view: View;
  zoomIn(): void;
  zoomOut(): void;
  fit(): void;
  fullSize(centre: Point): void;
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

export function useView(svg: RefObject<SVGSVGElement | null>, size: ChartSize): ViewControl {
  const [view, setView] = useState<View>(null);
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
      const centre = chartPoint(element, event);
      setView((now) => zoomed(now, { width, height }, Math.exp(-event.deltaY / 300), centre));
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [svg, width, height]);

  const end = (): void => {
    hasDragged.current = press.current?.isDrag ?? false;
    press.current = null;
  };
  return {
    view,
    zoomIn: () => setView((now) => zoomed(now, size, ZOOM_STEP)),
    zoomOut: () => setView((now) => zoomed(now, size, 1 / ZOOM_STEP)),
    fit: () => setView(null),
    fullSize: (centre) => setView(atFullSize(size, frameOf(svg.current, size), centre)),
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

/** Zero where nothing is shown, as in the hidden one of picture and list. */
function frameOf(svg: SVGSVGElement | null, size: ChartSize): ChartSize {
  const frame = svg?.getBoundingClientRect();
  return frame === undefined || frame.width === 0 ? size : frame;
}

/** The pointer's position in chart coordinates. */
function chartPoint(element: SVGSVGElement, { clientX, clientY }: MouseEvent): Point {
  const point = new DOMPoint(clientX, clientY).matrixTransform(element.getScreenCTM()?.inverse());
  return { x: point.x, y: point.y };
}
