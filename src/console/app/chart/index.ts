/** Statecharts: as a picture, as a list, and whichever of them there is room for. */
import './chart.css';

export type { ChartForm } from './chart-figure.tsx';
export { ChartFigure } from './chart-figure.tsx';
export type { ChartSelection } from './types.ts';
