import { useToasts } from '../state/toasts.ts';

/** Shows toasts in a live region, which screen readers announce without moving the focus. */
export function Toasts() {
  const messages = useToasts();
  return (
    <div className="toasts" role="status" aria-live="polite">
      {messages.map((message) => (
        <p key={message.id} className={`toast toast-${message.tone}`}>
          {message.text}
        </p>
      ))}
    </div>
  );
}
