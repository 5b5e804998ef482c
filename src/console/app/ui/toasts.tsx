import { useToasts } from '../state/toasts.ts';

/** Where toasts appear; a screen reader hears them without losing its place. */
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
