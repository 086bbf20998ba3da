/**
 * Characters that turn the direction of the text around them: with one of them a name or a link reads as another one.
 */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text from outside without characters that turn its direction; answers, events and addresses of pages pass through
 * here.
 */
export function neutral(text: string): string {
  return text.replace(turning, "\ufffd");
}
