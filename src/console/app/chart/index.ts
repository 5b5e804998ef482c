/** Statecharts as a picture, as a list, or whichever fits. */
import './chart.css';

export type { ChartForm } from './chart-figure.tsx';
export { ChartFigure } from './chart-figure.tsx';
export type { ChartSelection } from './types.ts';
