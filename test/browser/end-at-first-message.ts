addEventListener("message", () => close(), { once: true });
