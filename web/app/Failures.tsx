import { Component, type ComponentChildren } from "preact";

interface State {
  readonly failure: string | undefined;
}

/** Keeps the frame working when a page fails to render. */
export class Failures extends Component<{ readonly children: ComponentChildren }, State> {
  override state: State = { failure: undefined };

  static override getDerivedStateFromError(error: unknown): State {
    return { failure: String(error) };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    return (
      <p class="failure" role="alert">
        This page failed: {failure}
      </p>
    );
  }
}
