/** The logo of Quittance: a receipt with a tick. */
export function BrandSign() {
  return (
    <svg className="brand-sign" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#0b6e4f" />
      <path
        d="m9 17 5 5 9.5-11"
        fill="none"
        stroke="#fff"
        strokeWidth="3.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
