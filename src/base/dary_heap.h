// The algorithms of a heap in which each node has D children, for queues that track the position of each
// item.
//
// The root is at position D-1, so that the D children of a node fill one aligned group: with 16-byte items
// and D = 4 that is one cache line. A queue owns the array and the count; these functions move items and call
// moved(item, position) for every item they place, including the given one. better(a, b) is a strict order.
// Positions below DaryHeap<D>::kRoot are never used, so they can serve as marks.
//
// D. B. Johnson, Priority queues with update and finding minimum spanning trees, 1975 (D children);
// A. LaMarca and R. Ladner, The influence of caches on the performance of heaps, 1996 (the alignment);
// I. Wegener, Bottom-up heapsort, 1993 (dig).
#pragma once

#include <cstddef>

namespace bowerbird {

template <unsigned D>
struct DaryHeap {
  static_assert(D >= 2);
  static constexpr std::size_t kRoot = D - 1;

  static constexpr std::size_t parent(std::size_t at) { return at / D + D - 2; }
  static constexpr std::size_t first_child(std::size_t at) { return D * (at - D + 2); }

  // Puts item at the free position `at`, or above it if it is better than its ancestors.
  template <typename Item, typename Better, typename Moved>
  static void rise(Item* array, std::size_t at, Item item, Better&& better, Moved&& moved) {
    while (at > kRoot) {
      const std::size_t up = parent(at);
      if (!better(item, array[up])) break;
      array[at] = array[up];
      moved(array[at], at);
      at = up;
    }
    array[at] = item;
    moved(item, at);
  }

  // Puts item at the free position `at`, or below it if its descendants are better. end: one past the last
  // position in use.
  template <typename Item, typename Better, typename Moved>
  static void sink(Item* array, std::size_t at, std::size_t end, Item item, Better&& better, Moved&& moved) {
    for (std::size_t child = first_child(at); child < end; child = first_child(at)) {
      const std::size_t best = best_of(array, child, end, better);
      if (!better(array[best], item)) break;
      array[at] = array[best];
      moved(array[at], at);
      at = best;
    }
    array[at] = item;
    moved(item, at);
  }

  // Fills the free position `at` from below, level by level, whatever item will fill the hole that remains.
  // Returns the hole's position: rise() the heap's last item there. Cheaper than sink() for the last item,
  // which nearly always belongs at the bottom.
  template <typename Item, typename Better, typename Moved>
  static std::size_t dig(Item* array, std::size_t at, std::size_t end, Better&& better, Moved&& moved) {
    for (std::size_t child = first_child(at); child < end; child = first_child(at)) {
      const std::size_t best = best_of(array, child, end, better);
      array[at] = array[best];
      moved(array[at], at);
      at = best;
    }
    return at;
  }

  // Makes a heap of items in any order.
  template <typename Item, typename Better, typename Moved>
  static void build(Item* array, std::size_t end, Better&& better, Moved&& moved) {
    const std::size_t inner = end > kRoot + 1 ? parent(end - 1) + 1 : kRoot;
    for (std::size_t at = inner; at < end; ++at) moved(array[at], at);
    for (std::size_t at = inner; at-- > kRoot;) sink(array, at, end, array[at], better, moved);
  }

 private:
  // The best of the group of children that begins at `child`. A full group is compared as a tournament, whose
  // comparisons are independent of each other.
  template <typename Item, typename Better>
  static std::size_t best_of(const Item* array, std::size_t child, std::size_t end, Better&& better) {
    if constexpr (D == 4 || D == 8) {
      if (child + D <= end) return tournament<D>(array, child, better);
    }
    std::size_t best = child;
    const std::size_t last = child + D < end ? child + D : end;
    for (std::size_t i = child + 1; i < last; ++i) best = better(array[i], array[best]) ? i : best;
    return best;
  }
  template <unsigned N, typename Item, typename Better>
  static std::size_t tournament(const Item* array, std::size_t from, Better&& better) {
    if constexpr (N == 1) {
      return from;
    } else {
      const std::size_t a = tournament<N / 2>(array, from, better);
      const std::size_t b = tournament<N / 2>(array, from + N / 2, better);
      return better(array[b], array[a]) ? b : a;
    }
  }
};

}  // namespace bowerbird
