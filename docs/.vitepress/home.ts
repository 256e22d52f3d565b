/** Returns the frontmatter of the home page. The page itself has none, because GitHub would show it as a table. */
export function home(tagline: string) {
  return {
    hero: {
      name: "Stayput",
      text: "Your files stay put",
      tagline,
      actions: [
        { theme: "brand", text: "Get started", link: "/guides/getting-started" },
        { theme: "alt", text: "Try it on a file", link: "/playground" },
      ],
    },
    features: [
      {
        title: "Private",
        details: "Work in the tab sends no request with a file. No telemetry, nothing from another origin.",
        link: "/privacy",
      },
      {
        title: "A drop-in",
        details: "Answers in the shape of an online PDF service. An app that calls one changes one line.",
        link: "/guides/switch-an-app",
      },
      {
        title: "Small",
        details: "The entry has less than 6 kB gzip. Codecs load with the first job that needs them.",
        link: "/architecture#loading",
      },
      {
        title: "Thorough",
        details:
          "Keeps forms, tags and attachments. Repairs damaged files. A part holds nothing of other pages.",
        link: "/guides/split",
      },
    ],
  };
}
