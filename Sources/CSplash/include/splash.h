// Poppler's own renderer, Splash, for what its other one, on cairo, gets wrong. Its interface is C++'s; this
// is as much of it as Documents calls. No exception leaves it.

#ifdef __cplusplus
extern "C" {
#endif

typedef struct splash_page splash_page;
typedef struct splash_pixels splash_pixels;

// The first page of a PDF in memory, which stays the caller's and must stay; NULL: it can't be read.
splash_page *splash_page_open(const char *data, int length);
void splash_page_close(splash_page *page);

// Draws `width` x `height` pixels of the page, as it is shown, from (`left`, `top`) on, of so many dots per inch;
// NULL: it can't be drawn.
splash_pixels *splash_page_draw(
    const splash_page *page, double across, double down, int left, int top, int width, int height,
    int is_antialiased);
void splash_pixels_free(splash_pixels *pixels);

// The size, and 32 bits a pixel, xRGB in the machine's byte order, `stride` bytes a row.
int splash_pixels_width(const splash_pixels *pixels);
int splash_pixels_height(const splash_pixels *pixels);
int splash_pixels_stride(const splash_pixels *pixels);
unsigned char *splash_pixels_data(splash_pixels *pixels);

// What libraries write on standard error goes there as before, and is read along from now on.
void complaints_listen(void);
// True when a font could not be made since this was last asked.
int complaints_take(void);

#ifdef __cplusplus
}
#endif
