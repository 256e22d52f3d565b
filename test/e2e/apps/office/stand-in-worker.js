addEventListener("message", ({ data: { input, name } }) => {
  const text = new TextDecoder().decode(input);
  if (text.startsWith("{\\rtf1 broken")) postMessage({ error: `cannot load ${name}` });
  else postMessage({ data: new TextEncoder().encode(`%PDF-1.7\n% ${name}\n`) });
});
